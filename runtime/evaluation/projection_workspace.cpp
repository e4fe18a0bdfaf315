// The pattern of the constraints, once per run.
#include "runtime/evaluation/projection_workspace.hpp"

#include <algorithm>

namespace nsmc::rt {

ProjectionWorkspace::ProjectionWorkspace(const System& system) {
  const std::span<const std::uint32_t> contacts = system.position_contacts();
  if (contacts.empty()) return;

  // Constraints by block, ascending.
  std::vector<std::vector<std::uint32_t>> of_block(system.blocks().size());
  std::uint32_t position = 0, most = 0, n_q = 0;
  for (std::uint32_t n = 0; n < contacts.size(); ++n) {
    const ContactInfo& contact = system.contacts()[contacts[n]];
    first_position.push_back(position);
    position += contact.type->n_position;
    most = std::max(most, contact.type->n_position);
    for (std::uint32_t b = 0; b < contact.n_blocks; ++b) {
      std::vector<std::uint32_t>& list = of_block[contact.blocks[b]];
      if (list.empty() || list.back() != n) list.push_back(n);
    }
  }
  for (std::uint32_t b = 0; b < of_block.size(); ++b) {
    if (of_block[b].empty()) continue;
    blocks.push_back(b);
    n_q = std::max(n_q, system.blocks()[b].n_q);
  }

  std::vector<SparseLdl::Entry> entries, edges;
  std::vector<std::uint32_t> seen(contacts.size(), NSM_NONE);
  for (std::uint32_t i = 0; i < contacts.size(); ++i) {
    const ContactInfo& contact = system.contacts()[contacts[i]];
    for (std::uint32_t b = 0; b < contact.n_blocks; ++b) {
      for (const std::uint32_t j : of_block[contact.blocks[b]]) {
        if (j > i) break;
        if (seen[j] == i) continue;
        seen[j] = i;
        pairs.push_back({i, j, static_cast<std::uint32_t>(entries.size())});
        edges.push_back({i, j});
        const std::uint32_t n_columns = system.contacts()[contacts[j]].type->n_position;
        for (std::uint32_t h = 0; h < contact.type->n_position; ++h) {
          const std::uint32_t end = i == j ? h + 1 : n_columns;
          for (std::uint32_t m = 0; m < end; ++m) entries.push_back({first_position[i] + h, first_position[j] + m});
        }
      }
    }
  }
  std::vector<std::uint32_t> order;
  for (const std::uint32_t i : elimination_order(contacts.size(), edges)) {
    for (std::uint32_t h = 0; h < system.contacts()[contacts[i]].type->n_position; ++h)
      order.push_back(first_position[i] + h);
  }
  G = SparseLdl(order, entries);

  g.assign(position, 0);
  g_kept.assign(position, 0);
  rounding.assign(position, 0);
  mu.assign(position, 0);
  rate.assign(position, 0);
  rate_before.assign(position, 0);
  velocity.assign(system.n_u(), 0);
  q_kept.assign(system.n_q(), 0);
  q_rate.assign(n_q, 0);
  part.assign(std::size_t{most} * most, 0);
}

}  // namespace nsmc::rt
