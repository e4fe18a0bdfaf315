#include "compiler/model/instances.hpp"

#include <cmath>

namespace nsmc {
namespace {

// The k-th pair of the list (0,1), (0,2), (1,2), (0,3), ...: grouped by the second, found without walking the list.
std::pair<std::int64_t, std::int64_t> pair_at(std::size_t k) {
  auto second = static_cast<std::int64_t>((1 + std::sqrt(1 + 8 * static_cast<double>(k))) / 2);
  const auto before = [](std::int64_t j) { return static_cast<std::size_t>(j) * static_cast<std::size_t>(j - 1) / 2; };
  while (before(second) > k) --second;
  while (before(second + 1) <= k) ++second;
  return {static_cast<std::int64_t>(k - before(second)), second};
}

}  // namespace

std::size_t Instances::count() const {
  std::size_t n = 1;
  if (pairs) {
    const std::size_t m = indices[0].count();
    n = m == 0 ? 0 : m * (m - 1) / 2;
  } else {
    for (const IndexBounds& bounds : indices) n *= bounds.count();
  }
  return points.empty() ? n : n * points.size();
}

std::vector<std::int64_t> Instances::index(std::size_t k) const {
  if (!points.empty()) k /= points.size();
  if (pairs) {
    const auto [i, j] = pair_at(k);
    return {indices[0].first + i, indices[0].first + j};
  }
  std::vector<std::int64_t> result(indices.size());
  for (std::size_t d = indices.size(); d-- > 0;) {
    result[d] = indices[d].first + static_cast<std::int64_t>(k % indices[d].count());
    k /= indices[d].count();
  }
  return result;
}

std::vector<double> Instances::self(std::size_t k) const {
  std::vector<double> result;
  for (const std::int64_t i : index(k)) result.push_back(static_cast<double>(i));
  if (!points.empty()) {
    const std::vector<double>& point = points[k % points.size()];
    result.insert(result.end(), point.begin(), point.end());
  }
  return result;
}

std::optional<std::size_t> Instances::find(const std::vector<std::int64_t>& wanted) const {
  const std::size_t per_index = points.empty() ? 1 : points.size();
  std::size_t point = 0;
  if (wanted.size() == indices.size() + 1 && !points.empty()) {
    if (wanted.back() < 1 || wanted.back() > static_cast<std::int64_t>(points.size())) return std::nullopt;
    point = static_cast<std::size_t>(wanted.back() - 1);
  } else if (wanted.size() != indices.size()) {
    return std::nullopt;
  }
  std::size_t k = 0;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    if (wanted[d] < indices[d].first || wanted[d] > indices[d].last) return std::nullopt;
    k = k * indices[d].count() + static_cast<std::size_t>(wanted[d] - indices[d].first);
  }
  if (pairs) {
    if (wanted[0] >= wanted[1]) return std::nullopt;
    const auto j = static_cast<std::size_t>(wanted[1] - indices[0].first);
    k = j * (j - 1) / 2 + static_cast<std::size_t>(wanted[0] - indices[0].first);
  }
  return k * per_index + point;
}

std::string Instances::suffix(std::size_t k) const {
  std::string text;
  for (const std::int64_t i : index(k)) text += (text.empty() ? "" : ",") + std::to_string(i);
  if (!points.empty()) text += (text.empty() ? "" : ",") + std::to_string(k % points.size() + 1);
  return text.empty() ? "" : "[" + text + "]";
}

std::string with_index(const std::string& pattern, const std::string& suffix) {
  const std::size_t at = pattern.find('@');
  return at == std::string::npos ? pattern : pattern.substr(0, at) + suffix + pattern.substr(at + 1);
}

}  // namespace nsmc
