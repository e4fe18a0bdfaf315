// Sizes, offsets and the checks that keep a wrong kernel table from becoming a memory error.
#include "runtime/system.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "runtime/contact_family.hpp"

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
  require(type.quaternion == NSM_NONE || std::uint64_t{type.quaternion} + 4 <= type.n_q,
          "block class {}: its quaternion leaves its {} coordinates", named(type.name), type.n_q);
}

void check(const nsm_element_class& type) {
  require(type.n_blocks == 1 || type.n_blocks == 2, "element class {} touches {} blocks, not 1 or 2", named(type.name),
          type.n_blocks);
  require(type.force != nullptr, "element class {} has no force", named(type.name));
}

void check(const nsm_output_class& type) {
  require(type.n_blocks <= 2, "output class {} touches {} blocks, not 0, 1 or 2", named(type.name), type.n_blocks);
  require(type.n_values == 0 || type.value != nullptr, "output class {} has no value", named(type.name));
}

// What the kind of a set asks of its numbers.
void check(const nsm_set& set, const char* name, std::uint32_t j) {
  require(set.kind < NSM_SET_FACE, "contact class {}: set {} is of unknown kind {}", name, j, set.kind);
  const SetKindFacts& facts = set_kind_facts[set.kind];
  require(fits_number_of_arguments(set), "contact class {}: set {} has {} arguments", name, j, set.n_arguments);
  require(set.n_lengths == (facts.one_length ? 1 : set.n_arguments), "contact class {}: set {} has {} lengths", name, j,
          set.n_lengths);
  require(set.dim >= facts.least_dim && set.dim <= facts.largest_dim, "contact class {}: set {} has dimension {}", name,
          j, set.dim);
  require(!facts.by_function || set.function != nullptr, "contact class {}: set {} has no function", name, j);
}

// Every row of the contact lies in exactly one set, and every set finds its arguments.
void check(const nsm_contact_class& type) {
  const char* name = named(type.name);
  require(type.n_blocks == 1 || type.n_blocks == 2, "contact class {} touches {} blocks, not 1 or 2", name,
          type.n_blocks);
  require(type.directions != nullptr, "contact class {} has no directions", name);
  require(type.affine != 0 || type.n_arguments == 0 || type.arguments != nullptr,
          "contact class {} has no kernel for the arguments of its sets", name);
  require(type.n_position <= type.n_rows, "contact class {} has {} positions and {} rows", name, type.n_position,
          type.n_rows);
  require(type.n_position == 0 || type.position != nullptr, "contact class {} has no kernel for its positions", name);
  require(type.n_position == 0 || type.gap == nullptr,
          "contact class {} has a gap and positions: what is held in place is always closed", name);
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

// What a contact of the class, or a family, has dissipated: as a whole, and by each of several laws.
std::uint32_t n_work_columns(const nsm_contact_class& type) { return 1 + (type.n_laws > 1 ? type.n_laws : 0); }

// Instances of a class are run by the same kernel, so the blocks they touch must be of one size.
class CommonSizes {
 public:
  explicit CommonSizes(std::uint32_t n_classes) : sizes_(2 * std::size_t{n_classes}, {NSM_NONE, NSM_NONE}) {}

  void add(std::uint32_t of_class, std::uint32_t side, const BlockInfo& block, const char* what, const char* name) {
    Size& common = sizes_[2 * std::size_t{of_class} + side];
    if (common.n_u == NSM_NONE) common = {block.n_q, block.n_u};
    require(common.n_q == block.n_q && common.n_u == block.n_u, "{} of class {} touch blocks of different size", what,
            named(name));
  }

 private:
  struct Size {
    std::uint32_t n_q, n_u;
  };
  std::vector<Size> sizes_;
};

}  // namespace

System::System(const nsm_model& model, std::span<const double> parameters, std::vector<InputSamples> inputs)
    : model_(&model), parameters_(parameters.begin(), parameters.end()), inputs_(std::move(inputs)) {
  require(model.abi == NSM_ABI, "version {} of the interface, this runtime speaks {}", model.abi, +NSM_ABI);
  require(parameters.size() == model.n_p, "{} parameters given, {} expected", parameters.size(), model.n_p);
  for (std::uint32_t i = 0; i < model.n_block_classes; ++i) check(model.block_classes[i]);
  for (std::uint32_t i = 0; i < model.n_element_classes; ++i) check(model.element_classes[i]);
  for (std::uint32_t i = 0; i < model.n_contact_classes; ++i) check(model.contact_classes[i]);
  for (std::uint32_t i = 0; i < model.n_output_classes; ++i) check(model.output_classes[i]);
  require(model.n_observed == 0 || model.observe != nullptr, "{} columns are observed, by no kernel", model.n_observed);
  for (const InputSamples& input : inputs_) {
    require(input.signal < model.n_z && model.signals[input.signal] == NSM_INPUT, "signal {} is no input",
            input.signal);
    require(!input.t.empty() && input.value.size() == input.t.size(), "input {} has no samples", input.signal);
  }
  add_blocks();
  add_elements();
  add_contacts();
  add_families();
  add_outputs();
}

void System::add_blocks() {
  const nsm_model& model = *model_;
  // Blocks may come in any order; every place of the state belongs to exactly one of them.
  std::vector<std::uint8_t> q_taken(model.n_q, 0), u_taken(model.n_u, 0);
  std::uint64_t n_q = 0, n_u = 0;
  const auto take = [](std::vector<std::uint8_t>& taken, std::uint32_t first, std::uint32_t n, std::uint32_t block) {
    require(std::uint64_t{first} + n <= taken.size(), "block {} leaves the state", block);
    for (std::uint32_t k = first; k < first + n; ++k) {
      require(taken[k] == 0, "block {} overlaps another one", block);
      taken[k] = 1;
    }
  };
  blocks_.reserve(model.n_blocks);
  for (std::uint32_t i = 0; i < model.n_blocks; ++i) {
    const nsm_block& block = model.blocks[i];
    require(block.block_class < model.n_block_classes, "block {} has no class", i);
    const nsm_block_class& type = model.block_classes[block.block_class];
    take(q_taken, block.first_q, type.n_q, i);
    take(u_taken, block.first_u, type.n_u, i);
    const std::size_t n_M =
        type.mass_structure == NSM_MASS_DIAGONAL ? type.n_u : std::size_t{type.n_u} * std::size_t{type.n_u};
    blocks_.push_back({&type, block.self, block.first_q, type.n_q, block.first_u, type.n_u, n_dynamics_, n_factor_});
    if (type.quaternion != NSM_NONE) quaternions_.push_back(block.first_q + type.quaternion);
    max_block_u_ = std::max(max_block_u_, type.n_u);
    n_dynamics_ += n_M + type.n_u;
    n_factor_ += n_M;
    n_q += type.n_q;
    n_u += type.n_u;
  }
  require(n_q + model.n_z == model.n_q && n_u == model.n_u,
          "blocks hold {} coordinates and {} velocities, the state {} and {}", n_q, n_u, model.n_q - model.n_z,
          model.n_u);
  require(model.n_z == 0 || (model.signals != nullptr && model.signal_initial != nullptr),
          "there are {} signals without kinds or without a start", model.n_z);
}

void System::add_elements() {
  const nsm_model& model = *model_;
  CommonSizes sizes(model.n_element_classes);
  elements_.reserve(model.n_elements);
  for (std::uint32_t i = 0; i < model.n_elements; ++i) {
    const nsm_element& element = model.elements[i];
    require(element.element_class < model.n_element_classes, "element {} has no class", i);
    const nsm_element_class& type = model.element_classes[element.element_class];
    ElementInfo info{&type, element.self, {NSM_NONE, NSM_NONE}, type.n_blocks};
    for (std::uint32_t b = 0; b < type.n_blocks; ++b) {
      require(element.blocks[b] < model.n_blocks, "element {} touches no block", i);
      info.blocks[b] = element.blocks[b];
      sizes.add(element.element_class, b, blocks_[element.blocks[b]], "elements", type.name);
    }
    elements_.push_back(info);
  }
}

void System::fit_layout(std::uint32_t contact_class, const std::uint32_t (&blocks)[2]) {
  const nsm_contact_class& type = model_->contact_classes[contact_class];
  std::uint32_t sizes[2] = {0, 0};
  for (std::uint32_t b = 0; b < type.n_blocks; ++b) sizes[b] = blocks_[blocks[b]].n_u;
  layouts_[contact_class] = make_layout(type, sizes);
  max_contact_rows_ = std::max(max_contact_rows_, type.n_rows);
  for (std::uint32_t j = 0; j < type.n_sets; ++j) max_set_dim_ = std::max(max_set_dim_, type.sets[j].dim);
}

void System::add_contact(ContactInfo info) {
  const nsm_contact_class& type = *info.type;
  info.first_row = n_rows_;
  info.number = static_cast<std::uint32_t>(contacts_.size());
  n_rows_ += type.n_rows;
  n_sets_ += type.n_sets;
  n_arguments_ += type.n_arguments;
  contacts_.push_back(info);
}

void System::add_contacts() {
  const nsm_model& model = *model_;
  columns_.q = 0;
  columns_.u = model.n_q;
  columns_.contacts = model.n_q + model.n_u;
  std::uint32_t column = columns_.contacts;
  CommonSizes common(model.n_contact_classes);
  layouts_.resize(model.n_contact_classes);
  contacts_.reserve(model.n_contacts);
  std::vector<std::size_t> rows_of_block(model.n_blocks, 0);
  for (std::uint32_t i = 0; i < model.n_contacts; ++i) {
    const nsm_contact& contact = model.contacts[i];
    require(contact.contact_class < model.n_contact_classes, "contact {} has no class", i);
    const nsm_contact_class& type = model.contact_classes[contact.contact_class];
    const std::uint32_t n_geometry = type.gap != nullptr ? 1 : type.n_position;
    ContactInfo info{&type, contact.name, contact.self, {NSM_NONE, NSM_NONE}, type.n_blocks, 0, 0, column, n_geometry};
    for (std::uint32_t b = 0; b < type.n_blocks; ++b) {
      require(contact.blocks[b] < model.n_blocks, "contact {} touches no block", i);
      info.blocks[b] = contact.blocks[b];
      common.add(contact.contact_class, b, blocks_[contact.blocks[b]], "contacts", type.name);
      rows_of_block[contact.blocks[b]] += type.n_rows;
    }
    fit_layout(contact.contact_class, info.blocks);
    add_contact(info);
    if (type.n_position > 0) position_contacts_.push_back(i);
    has_switches_ = has_switches_ || type.active != nullptr;
    n_positions_ += type.n_position;
    column += n_geometry + type.n_rows;
  }
  for (const ContactInfo& contact : contacts_) {
    std::size_t columns = 0;
    for (std::uint32_t b = 0; b < contact.n_blocks; ++b) columns += rows_of_block[contact.blocks[b]];
    max_G_values_ += contact.type->n_rows * std::min<std::size_t>(columns, n_rows_);
  }
  columns_.energy = column;
}

void System::add_families() {
  const nsm_model& model = *model_;
  CommonSizes common(model.n_contact_classes);
  n_work_rows_ = n_fixed_rows_ = n_rows_;
  for (std::uint32_t f = 0; f < model.n_families; ++f) {
    const nsm_family& family = model.families[f];
    require(family.contact_class < model.n_contact_classes, "family {} has no class", f);
    const nsm_contact_class& type = model.contact_classes[family.contact_class];
    require(type.gap != nullptr, "family {} has no gap", f);
    has_switches_ = has_switches_ || type.active != nullptr;
    require(family.n_indices == 1 || family.n_indices == 2, "family {} has {} indices, not 1 or 2", f,
            family.n_indices);
    require(family.pairs == 0 || (family.n_indices == 2 && family.count[0] == family.count[1]),
            "the pairs of family {} are not those of one range", f);
    require(family.n_points > 0 && (family.points != nullptr || family.n_points == 1), "family {} has no points", f);
    const auto check_blocks = [&](const nsm_blocks_by_index& by_index) {
      require(by_index.index == NSM_NONE || by_index.index < family.n_indices, "family {} has no index {}", f,
              by_index.index);
      const std::uint64_t n = by_index.index == NSM_NONE ? 1 : family.count[by_index.index];
      for (std::uint64_t k = 0; k < n; ++k)
        require(by_index.blocks[k] < model.n_blocks, "family {} touches no block", f);
      return n;
    };
    std::uint32_t first[2] = {NSM_NONE, NSM_NONE};
    for (std::uint32_t b = 0; b < type.n_blocks; ++b) {
      const std::uint64_t n = check_blocks(family.blocks[b]);
      for (std::uint64_t k = 0; k < n; ++k)
        common.add(family.contact_class, b, blocks_[family.blocks[b].blocks[k]], "contacts", type.name);
      if (n > 0) first[b] = family.blocks[b].blocks[0];
    }
    for (std::uint32_t side = 0; side < 2; ++side) {
      require(family.shapes[side] < model.n_shapes, "a side of family {} has no shapes", f);
      const nsm_shapes& shapes = model.shapes[family.shapes[side]];
      const std::uint32_t index = family.shape_index[side];
      require(index == NSM_NONE || index < family.n_indices, "family {} has no index {}", f, index);
      require(shapes.count == (index == NSM_NONE ? 1 : family.count[index]), "family {} has other shapes", f);
      require(shapes.bounds != nullptr, "shapes of family {} have no bounds", f);
    }
    if (size_of(family) > 0) fit_layout(family.contact_class, first);
    family_work_rows_.push_back(n_work_rows_);
    n_work_rows_ += type.n_rows;
  }
}

Renumbering System::set_candidates(std::vector<Candidate> candidates) {
  require(std::is_sorted(candidates.begin(), candidates.end()), "candidates are not in their order");
  Renumbering renumbering;
  renumbering.set_size_before(contacts_.size());
  const std::vector<ContactInfo> before = contacts_;
  const std::vector<Candidate> candidates_before = std::move(candidates_);
  const std::uint32_t n_fixed = model_->n_contacts;
  contacts_.clear();
  n_rows_ = 0;
  n_sets_ = n_arguments_ = 0;
  for (std::uint32_t i = 0; i < n_fixed; ++i) {
    add_contact(before[i]);
    renumbering.add(i, before[i].first_row, before[i].type->n_rows);
  }
  std::size_t n_self = 0;
  for (const Candidate& candidate : candidates) n_self += self_size(model_->families[candidate.family]);
  auto selves = std::make_shared<std::vector<double>>(n_self);
  double* self = selves->data();
  std::size_t old = 0;
  contacts_.reserve(n_fixed + candidates.size());
  for (const Candidate& candidate : candidates) {
    const nsm_family& family = model_->families[candidate.family];
    const nsm_contact_class& type = model_->contact_classes[family.contact_class];
    const FamilyMember member = member_of(family, candidate.number);
    write_self(family, member, self);
    ContactInfo info{&type, nullptr, self, {NSM_NONE, NSM_NONE}, type.n_blocks, 0, 0, NSM_NONE, 1};
    for (std::uint32_t b = 0; b < type.n_blocks; ++b) info.blocks[b] = block_of(family.blocks[b], member);
    add_contact(info);
    self += self_size(family);
    while (old < candidates_before.size() && candidates_before[old] < candidate) ++old;
    const bool known = old < candidates_before.size() && candidates_before[old] == candidate;
    const std::size_t number = n_fixed + old;
    renumbering.add(known ? static_cast<std::uint32_t>(number) : static_cast<std::uint32_t>(NSM_NONE),
                    known ? before[number].first_row : 0, type.n_rows);
  }
  renumbering.finish();
  candidates_ = std::move(candidates);
  selves_ = std::move(selves);
  return renumbering;
}

void System::add_outputs() {
  const nsm_model& model = *model_;
  columns_.observed = columns_.energy + 1;
  columns_.outputs = columns_.observed + model.n_observed;
  std::uint32_t column = columns_.outputs;
  CommonSizes sizes(model.n_output_classes);
  outputs_.reserve(model.n_outputs);
  for (std::uint32_t i = 0; i < model.n_outputs; ++i) {
    const nsm_output& output = model.outputs[i];
    require(output.output_class < model.n_output_classes, "output {} has no class", i);
    const nsm_output_class& type = model.output_classes[output.output_class];
    require(output.contact == NSM_NONE || output.contact < model.n_contacts, "output {} reads contact {} of {}", i,
            output.contact, model.n_contacts);
    OutputInfo info{&type, output.self, {NSM_NONE, NSM_NONE}, type.n_blocks, output.contact, column};
    for (std::uint32_t b = 0; b < type.n_blocks; ++b) {
      require(output.blocks[b] < model.n_blocks, "output {} touches no block", i);
      info.blocks[b] = output.blocks[b];
      sizes.add(output.output_class, b, blocks_[output.blocks[b]], "outputs", type.name);
    }
    outputs_.push_back(info);
    column += type.n_values;
  }
  columns_.work = column;
  for (const ContactInfo& contact : contacts_) column += n_work_columns(*contact.type);
  for (const nsm_family& family : families()) column += n_work_columns(model.contact_classes[family.contact_class]);
  columns_.size = column + 3;
}

std::size_t System::n_X(const ContactInfo& contact) const {
  std::size_t n_u = 0;
  for (std::uint32_t b = 0; b < contact.n_blocks; ++b) n_u += blocks_[contact.blocks[b]].n_u;
  return n_u * contact.type->n_rows;
}

std::string System::block_name(std::uint32_t block) const {
  if (block >= blocks_.size()) return "signals";
  const char* type = named(blocks_[block].type->name);
  return blocks_.size() == 1 ? std::string(type) : fmt::format("{}[{}]", type, block);
}

std::string System::contact_name(std::uint32_t contact) const {
  if (contact >= contacts_.size()) return "?";
  const ContactInfo& info = contacts_[contact];
  if (contact >= n_fixed()) {
    const Candidate& candidate = candidates_[contact - n_fixed()];
    return named(info.type->name) + suffix_of(model_->families[candidate.family], candidate.number);
  }
  if (info.name != nullptr && *info.name != '\0') return info.name;
  return fmt::format("{}[{}]", named(info.type->name), contact);
}

}  // namespace nsmc::rt
