// The constant description of a model that is run: sizes and offsets worked out once from the kernel table.
//
// In: a kernel table and values for its parameters. Out: where the data of every block, element, contact and output
// live in the flat arrays of a State, a Workspace and a recorded row. The table it was made from must outlive it.
//
// The contacts of the table stand first and always. Of the families of contacts only candidates have a place: those
// that may close soon, which a search finds (evaluation/contact_search.hpp). A run with families has a System of its
// own, whose candidates change from time to time; all others are immutable and may serve several runs and threads.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/inputs.hpp"
#include "runtime/kernel_abi.hpp"
#include "runtime/renumbering.hpp"
#include "runtime/set_limits.hpp"

namespace nsmc::rt {

// The table contradicts itself or was made for another version of this header: a bug of whoever filled it.
struct SystemError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct BlockInfo {
  const nsm_block_class* type;
  const double* self;
  std::uint32_t first_q, n_q;
  std::uint32_t first_u, n_u;
  std::size_t first_dynamics;  // M and h as the kernel writes them
  std::size_t first_factor;    // Cholesky factor of M
};

// Where the kernel `directions` of a contact class writes its parts.
struct DirectionLayout {
  std::size_t W[2], V[2];  // V = W unless mapped
  std::size_t chi, restitution, C, a, K;
  std::size_t size;
};

struct ElementInfo {
  const nsm_element_class* type;
  const double* self;
  std::uint32_t blocks[2];
  std::uint32_t n_blocks;
};

struct OutputInfo {
  const nsm_output_class* type;
  const double* self;
  std::uint32_t blocks[2];
  std::uint32_t n_blocks;
  std::uint32_t contact;       // whose forces it reads, or NSM_NONE
  std::uint32_t first_column;  // of a recorded row
};

struct ContactInfo {
  const nsm_contact_class* type;
  const char* name;
  const double* self;
  std::uint32_t blocks[2];
  std::uint32_t n_blocks;
  std::uint32_t first_row;  // of Lambda
  std::uint32_t number;     // which contact it is
  // The part of a recorded row that a contact of the table fills: n_geometry values (its gap, or its positions), then
  // n_rows forces. NSM_NONE: it has none.
  std::uint32_t first_column, n_geometry;
};

// Which contact of which family.
struct Candidate {
  std::uint32_t family = 0;
  std::uint64_t number = 0;

  auto operator<=>(const Candidate&) const = default;
  template <class Memory>
  void remember(Memory& memory) {
    memory(family, number);
  }
};

// Where the parts of a recorded row begin, in the order of kernel_abi.hpp.
struct ColumnLayout {
  std::uint32_t q, u, contacts, energy, observed, outputs, work;
  std::uint32_t size;
};

class System {
 public:
  // Throws SystemError.
  System(const nsm_model& model, std::span<const double> parameters, std::vector<InputSamples> inputs = {});

  const nsm_model& model() const { return *model_; }
  const double* parameters() const { return parameters_.data(); }

  std::span<const BlockInfo> blocks() const { return blocks_; }
  std::span<const ElementInfo> elements() const { return elements_; }
  std::span<const ContactInfo> contacts() const { return contacts_; }
  std::span<const OutputInfo> outputs() const { return outputs_; }

  // The contacts of families that have a place now, after the n_fixed() contacts of the table, in the order of their
  // families and numbers.
  std::span<const nsm_family> families() const { return {model_->families, model_->n_families}; }
  std::uint32_t n_fixed() const { return model_->n_contacts; }
  std::uint32_t n_fixed_rows() const { return n_fixed_rows_; }
  std::span<const Candidate> candidates() const { return candidates_; }
  // Ascending. What is kept by contact or by row goes with them: to be renumbered.
  Renumbering set_candidates(std::vector<Candidate> candidates);

  const DirectionLayout& layout(const ContactInfo& contact) const {
    return layouts_[static_cast<std::size_t>(contact.type - model_->contact_classes)];
  }

  std::uint32_t n_q() const { return model_->n_q; }
  std::uint32_t n_u() const { return model_->n_u; }
  // States, discrete variables and inputs stand behind the coordinates of all blocks.
  std::uint32_t n_z() const { return model_->n_z; }
  std::uint32_t first_z() const { return model_->n_q - model_->n_z; }
  // Inputs that follow samples. All others keep the value that they have.
  const std::vector<InputSamples>& inputs() const { return inputs_; }
  void release_input(std::uint32_t signal) {  // it follows samples no longer
    std::erase_if(inputs_, [&](const InputSamples& input) { return input.signal == signal; });
  }
  void settle_inputs(double t, double* q) const {
    for (const InputSamples& input : inputs_) q[first_z() + input.signal] = input.at(t);
  }

  // Whether contacts are switched on and off by conditions.
  bool has_switches() const { return has_switches_; }

  // Recorded rows.
  const ColumnLayout& columns() const { return columns_; }
  std::uint32_t n_columns() const { return columns_.size; }
  std::uint32_t energy_column() const { return columns_.energy; }

  // Where in q a unit quaternion begins.
  std::span<const std::uint32_t> quaternions() const { return quaternions_; }
  // The contacts that hold positions (n_position > 0), and how many positions these are together.
  std::span<const std::uint32_t> position_contacts() const { return position_contacts_; }
  std::uint32_t n_positions() const { return n_positions_; }

  // Where the work of a contact is counted, row by row: of contacts of the table its own rows, of candidates those of
  // their family, all of whose contacts are counted together.
  std::uint32_t work_row(const ContactInfo& contact) const {
    return contact.number < n_fixed() ? contact.first_row
                                      : family_work_row(candidates_[contact.number - n_fixed()].family);
  }
  std::uint32_t family_work_row(std::uint32_t family) const { return family_work_rows_[family]; }
  std::uint32_t n_work_rows() const { return n_work_rows_; }

  // Totals over all contacts, and the largest of each.
  std::uint32_t n_rows() const { return n_rows_; }
  std::size_t n_sets() const { return n_sets_; }
  std::size_t n_arguments() const { return n_arguments_; }
  std::size_t n_dynamics() const { return n_dynamics_; }
  std::size_t n_factor() const { return n_factor_; }
  std::size_t n_X(const ContactInfo& contact) const;  // values of M^-1 W, for one block after the other
  std::uint32_t max_contact_rows() const { return max_contact_rows_; }
  std::uint32_t max_set_dim() const { return max_set_dim_; }
  std::uint32_t max_block_u() const { return max_block_u_; }

  // Values of G if every contact of the table is closed (an upper bound).
  std::size_t max_G_values() const { return max_G_values_; }

  std::string block_name(std::uint32_t block) const;
  std::string contact_name(std::uint32_t contact) const;

 private:
  // The parts of the constructor, in this order.
  void add_blocks();
  void add_elements();
  void add_contacts();
  void add_families();
  void add_outputs();

  // A contact on these blocks at the end of the list.
  void add_contact(ContactInfo info);
  // Where its class writes directions, by the blocks that it touches; what all contacts of the class have in common.
  void fit_layout(std::uint32_t contact_class, const std::uint32_t (&blocks)[2]);

  const nsm_model* model_;
  std::vector<double> parameters_;
  std::vector<BlockInfo> blocks_;
  std::vector<ElementInfo> elements_;
  std::vector<ContactInfo> contacts_;
  std::vector<Candidate> candidates_;
  std::shared_ptr<const std::vector<double>> selves_;  // of the candidates
  std::vector<std::uint32_t> family_work_rows_;
  std::uint32_t n_fixed_rows_ = 0, n_work_rows_ = 0;
  std::vector<OutputInfo> outputs_;
  std::vector<std::uint32_t> quaternions_, position_contacts_;
  ColumnLayout columns_{};
  std::vector<DirectionLayout> layouts_;  // by contact class
  std::uint32_t n_rows_ = 0;
  std::size_t n_sets_ = 0, n_arguments_ = 0, n_dynamics_ = 0, n_factor_ = 0;
  std::uint32_t max_contact_rows_ = 0, max_set_dim_ = 0, max_block_u_ = 0, n_positions_ = 0;
  std::size_t max_G_values_ = 0;
  bool has_switches_ = false;
  std::vector<InputSamples> inputs_;
};

}  // namespace nsmc::rt
