// Sizes, offsets and the checks that keep a wrong kernel table from becoming a memory error.
#include "runtime/system.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nsmc::rt {

namespace {

template <typename... Arguments>
void require(bool holds, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  if (!holds) throw SystemError("kernel table: " + fmt::format(text, std::forward<Arguments>(arguments)...));
}

const char* named(const char* name) { return name != nullptr ? name : "?"; }

void check(const nsm_block_class& type) {
  require(type.mass_structure == NSM_MASS_DENSE || type.mass_structure == NSM_MASS_DIAGONAL,
          "block class {} has an unknown mass structure {}", named(type.name), type.mass_structure);
  require(type.dynamics != nullptr, "block class {} has no dynamics", named(type.name));
  require(type.identity_kinematics != 0 || type.kinematics != nullptr, "block class {} has no kinematics",
          named(type.name));
  require(type.identity_kinematics == 0 || type.n_q == type.n_u, "block class {}: q' = u needs n_q = n_u",
          named(type.name));
}

// What the kind of a set asks of its numbers.
void check(const nsm_set& set, const char* name, std::uint32_t j) {
  bool fits = false;
  switch (set.kind) {
    case NSM_SET_INTERVAL: fits = set.n_arguments == 2; break;
    case NSM_SET_BALL: fits = set.n_arguments == 1; break;
    case NSM_SET_ELLIPSOID: fits = set.n_arguments == set.dim; break;
    case NSM_SET_POLYGON: fits = set.n_arguments >= 2 && set.n_arguments % 2 == 0; break;
    case NSM_SET_GAUGE:
    case NSM_SET_SUPPORT: fits = set.n_arguments >= 1; break;
    default: require(false, "contact class {}: set {} is of unknown kind {}", name, j, set.kind);
  }
  require(fits, "contact class {}: set {} has {} arguments", name, j, set.n_arguments);
  const bool by_function = set.kind == NSM_SET_GAUGE || set.kind == NSM_SET_SUPPORT;
  require(set.n_lengths == (by_function ? 1 : set.n_arguments), "contact class {}: set {} has {} lengths", name, j,
          set.n_lengths);
  require(set.kind != NSM_SET_POLYGON || set.dim == 2, "contact class {}: polygon {} has dimension {}", name, j,
          set.dim);
  require(!by_function || set.dim <= max_function_dim, "contact class {}: set {} has dimension {}", name, j, set.dim);
  require(!by_function || set.function != nullptr, "contact class {}: set {} has no function", name, j);
}

// Every row of the contact lies in exactly one set, and every set finds its arguments.
void check(const nsm_contact_class& type) {
  const char* name = named(type.name);
  require(type.n_blocks == 1 || type.n_blocks == 2, "contact class {} touches {} blocks, not 1 or 2", name,
          type.n_blocks);
  require(type.directions != nullptr, "contact class {} has no directions", name);
  require(type.affine != 0 || type.n_arguments == 0 || type.arguments != nullptr,
          "contact class {} has no kernel for the arguments of its sets", name);
  std::vector<int> covered(type.n_rows, 0);
  for (std::uint32_t j = 0; j < type.n_sets; ++j) {
    const nsm_set& set = type.sets[j];
    require(set.dim > 0 && set.first_row + set.dim <= type.n_rows, "contact class {}: set {} leaves the rows", name, j);
    check(set, name, j);
    require(set.shifted == 0 || set.dim <= max_shifted_dim, "contact class {}: set {} is shifted and of dimension {}",
            name, j, set.dim);
    require(set.first_argument + set.n_arguments + (set.shifted != 0 ? set.dim : 0) + (set.scaled != 0 ? 1 : 0) <=
                type.n_arguments,
            "contact class {}: set {} leaves the arguments", name, j);
    for (std::uint32_t k = 0; k < set.dim; ++k) ++covered[set.first_row + k];
  }
  for (std::uint32_t h = 0; h < type.n_rows; ++h) {
    require(covered[h] == 1, "contact class {}: row {} belongs to {} sets", name, h, covered[h]);
  }
}

DirectionLayout make_layout(const nsm_contact_class& type, const std::uint32_t (&n_u)[2]) {
  DirectionLayout layout{};
  std::size_t at = 0;
  const auto take = [&](std::size_t n) {
    const std::size_t first = at;
    at += n;
    return first;
  };
  const std::size_t d = type.n_rows;
  for (std::uint32_t b = 0; b < type.n_blocks; ++b) layout.W[b] = take(n_u[b] * d);
  for (std::uint32_t b = 0; b < type.n_blocks; ++b) layout.V[b] = type.mapped != 0 ? take(n_u[b] * d) : layout.W[b];
  layout.chi = take(d);
  layout.restitution = take(d);
  layout.C = take(type.compliant != 0 ? d * d : 0);
  layout.a = take(type.affine != 0 ? type.n_arguments : 0);
  layout.K = take(type.affine != 0 ? type.n_arguments * d : 0);
  layout.size = at;
  return layout;
}

}  // namespace

System::System(const nsm_model& model, std::span<const double> parameters)
    : model_(&model), parameters_(parameters.begin(), parameters.end()) {
  require(model.abi == NSM_ABI, "version {} of the interface, this runtime speaks {}", model.abi, +NSM_ABI);
  require(parameters.size() == model.n_p, "{} parameters given, {} expected", parameters.size(), model.n_p);
  for (std::uint32_t i = 0; i < model.n_block_classes; ++i) check(model.block_classes[i]);
  for (std::uint32_t i = 0; i < model.n_contact_classes; ++i) check(model.contact_classes[i]);

  std::uint32_t n_q = 0, n_u = 0;
  blocks_.reserve(model.n_blocks);
  for (std::uint32_t i = 0; i < model.n_blocks; ++i) {
    const nsm_block& block = model.blocks[i];
    require(block.block_class < model.n_block_classes, "block {} has no class", i);
    const nsm_block_class& type = model.block_classes[block.block_class];
    require(block.first_q + type.n_q <= model.n_q && block.first_u + type.n_u <= model.n_u, "block {} leaves the state",
            i);
    const std::size_t n_M =
        type.mass_structure == NSM_MASS_DIAGONAL ? type.n_u : std::size_t{type.n_u} * std::size_t{type.n_u};
    blocks_.push_back({&type, block.self, block.first_q, type.n_q, block.first_u, type.n_u, n_dynamics_, n_factor_});
    n_dynamics_ += n_M + type.n_u;
    n_factor_ += n_M;
    n_q += type.n_q;
    n_u += type.n_u;
  }
  require(n_q == model.n_q && n_u == model.n_u, "blocks hold {} coordinates and {} velocities, the state {} and {}",
          n_q, n_u, model.n_q, model.n_u);

  constexpr std::uint32_t unknown = nobody;
  std::vector<std::uint32_t> class_n_u(2 * std::size_t{model.n_contact_classes}, unknown);
  layouts_.resize(model.n_contact_classes);
  contacts_.reserve(model.n_contacts);
  std::vector<std::size_t> rows_of_block(model.n_blocks, 0);
  for (std::uint32_t i = 0; i < model.n_contacts; ++i) {
    const nsm_contact& contact = model.contacts[i];
    require(contact.contact_class < model.n_contact_classes, "contact {} has no class", i);
    const nsm_contact_class& type = model.contact_classes[contact.contact_class];
    ContactInfo info{&type, contact.name, contact.self, {nobody, nobody}, type.n_blocks, n_rows_, n_directions_, n_X_};
    std::uint32_t sizes[2] = {0, 0};
    std::size_t touched = 0;
    for (std::uint32_t b = 0; b < type.n_blocks; ++b) {
      require(contact.blocks[b] < model.n_blocks, "contact {} touches no block", i);
      info.blocks[b] = contact.blocks[b];
      sizes[b] = blocks_[contact.blocks[b]].n_u;
      touched += sizes[b];
      std::uint32_t& common = class_n_u[2 * std::size_t{contact.contact_class} + b];
      if (common == unknown) common = sizes[b];
      require(common == sizes[b], "contacts of class {} touch blocks of different size", named(type.name));
      rows_of_block[contact.blocks[b]] += type.n_rows;
    }
    const DirectionLayout layout = make_layout(type, sizes);
    layouts_[contact.contact_class] = layout;
    contacts_.push_back(info);
    n_rows_ += type.n_rows;
    n_sets_ += type.n_sets;
    n_arguments_ += type.n_arguments;
    n_directions_ += layout.size;
    n_X_ += touched * type.n_rows;
    max_contact_rows_ = std::max(max_contact_rows_, type.n_rows);
    for (std::uint32_t j = 0; j < type.n_sets; ++j) max_set_dim_ = std::max(max_set_dim_, type.sets[j].dim);
  }
  for (const ContactInfo& contact : contacts_) {
    std::size_t columns = 0;
    for (std::uint32_t b = 0; b < contact.n_blocks; ++b) columns += rows_of_block[contact.blocks[b]];
    max_G_values_ += contact.type->n_rows * std::min<std::size_t>(columns, n_rows_);
  }
}

std::string System::block_name(std::uint32_t block) const {
  if (block >= blocks_.size()) return "?";
  const char* type = named(blocks_[block].type->name);
  return blocks_.size() == 1 ? std::string(type) : fmt::format("{}[{}]", type, block);
}

std::string System::contact_name(std::uint32_t contact) const {
  if (contact >= contacts_.size()) return "?";
  const ContactInfo& info = contacts_[contact];
  if (info.name != nullptr && *info.name != '\0') return info.name;
  return fmt::format("{}[{}]", named(info.type->name), contact);
}

}  // namespace nsmc::rt
