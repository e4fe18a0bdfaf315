// Contacts, constraints and joints: their gaps and velocities, and what they define for others.
#pragma once

#include "compiler/model/arrays.hpp"
#include "compiler/model/quantities.hpp"

namespace nsmc {

class Joints;
class Events;
class ShapeContacts;

// The place of `roll` in kContactVelocities.
inline constexpr std::uint32_t kRoll = 3;

struct ContactSource {
  const ast::Declaration* declaration = nullptr;
  const std::vector<ast::ContactItem>* items = nullptr;
  const ast::Part<ast::IndexRange>* range = nullptr;
  const ast::ShapePair* pair = nullptr;
  const ast::Joint* joint = nullptr;
  const ast::Part<ast::Expr>* active = nullptr;
};

class Contacts : Part {
 public:
  Contacts(Core& core, Expressions& expressions, Arrays& arrays, Joints& joints, ShapeContacts& shape_contacts,
           Events& events)
      : Part(core),
        expressions_(expressions),
        arrays_(arrays),
        joints_(joints),
        shape_contacts_(shape_contacts),
        events_(events) {}

  void declare(const ast::Name& name, bool bilateral, const std::string& doc, ContactSource source);
  // Contacts without a name of their own are called like their first shape, or after both where that is ambiguous.
  void name_contacts();
  void elaborate_quantities(std::uint32_t contact);
  void add_velocity(std::uint32_t contact, NodeId value, std::uint32_t component);

  const std::vector<ContactSource>& sources() const { return contact_sources_; }
  const ContactSource& source(std::uint32_t contact) const { return contact_sources_[contact]; }
  Scope& scope(std::uint32_t contact) { return contact_scopes_[contact]; }        // with its lets and forces
  bool failed(std::uint32_t contact) const { return quantity_failed_[contact]; }  // an error stands for it already
  // Those without a name of their own.
  const std::map<std::string, std::uint32_t, std::less<>>& named_after_shapes() const { return contact_names_; }

  // As seen from outside of it, for the instance with the numbers `self`.
  std::optional<Quantities> quantities_of(std::uint32_t contact, const std::vector<NodeId>& self);
  // As a joint or a pair of shapes defines them for its own instances; nothing for other contacts.
  std::optional<Quantities> own_quantities(std::uint32_t contact);
  std::vector<std::string> contact_members(std::uint32_t contact) const;
  Result contact_member(std::uint32_t contact, const std::vector<const ast::Expr*>& indices, const ast::Expr& expr,
                        const Scope& scope);

 private:
  std::optional<Ranged> contact_range(std::uint32_t contact);
  Scope contact_scope(std::uint32_t contact, const std::vector<NodeId>& self);
  std::optional<Quantities> pair_quantities(std::uint32_t contact, const std::vector<NodeId>& self);

  Expressions& expressions_;
  Arrays& arrays_;
  Joints& joints_;
  ShapeContacts& shape_contacts_;
  Events& events_;
  std::vector<ContactSource> contact_sources_;
  std::vector<Scope> contact_scopes_;
  std::vector<bool> quantity_failed_;
  std::map<std::string, std::uint32_t, std::less<>> contact_names_;
};

}  // namespace nsmc
