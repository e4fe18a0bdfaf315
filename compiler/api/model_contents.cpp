// nsmc::Model: what is in a model, as plain values.
#include <algorithm>

#include "compiler/api/model_impl.hpp"
#include "compiler/api/place_infos.hpp"
#include "compiler/mechanics/events.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "compiler/mechanics/law_text.hpp"
#include "nsmc/model.hpp"

namespace nsmc {
namespace {

// Their values at the start, as the model has them.
std::vector<double> start_of(const Model::Impl& impl) {
  return parameter_values(impl.pipeline.pool(), *impl.equations, impl.parameters.values());
}

std::vector<VariableInfo> variables(const Model::Impl& impl, std::vector<VariableEquation> BlockEquation::*which) {
  std::vector<VariableInfo> list;
  if (impl.equations == nullptr) return list;
  const std::lock_guard lock(impl.mutex);
  const std::vector<double> start = start_of(impl);
  for (const BlockEquation& block : impl.equations->blocks) {
    if (block.instances.count() == 0) continue;
    for (const VariableEquation& v : block.*which) {
      list.push_back({with_index(v.name, block.instances.suffix(0)), v.doc, v.dimension,
                      constant_value(impl.pipeline.pool(), v.initial, start, block.instances.self(0)),
                      place_of(impl.pipeline.sources(), v.span)});
    }
  }
  return list;
}

std::vector<VariableInfo> signals(const Model::Impl& impl, SignalKind kind) {
  std::vector<VariableInfo> list;
  if (impl.equations == nullptr) return list;
  const std::lock_guard lock(impl.mutex);
  const std::vector<double> start = start_of(impl);
  for (const SignalEquation& z : impl.equations->signals) {
    if (z.kind != kind) continue;
    list.push_back({z.name, z.doc, z.dimension, constant_value(impl.pipeline.pool(), z.initial, start),
                    place_of(impl.pipeline.sources(), z.span)});
  }
  return list;
}

LawInfo law_info(sym::ExprPool& pool, const ContactEquation& contact, const LawEquation& law) {
  LawInfo info{law.name, law_text(pool, contact, law), {}, {}};
  for (const auto& [part, value] : law_parts(pool, law)) info.parts.emplace_back(part, value);
  for (std::size_t k = 0; k < law.size; ++k) {
    info.forces.emplace_back(law.force_names[k], contact.force_dimensions[law.first + k]);
  }
  return info;
}

}  // namespace

std::vector<DiagnosticInfo> Model::Impl::diagnostics() const {
  return diagnostic_infos(pipeline.diagnostics(), pipeline.sources());
}

std::vector<DiagnosticInfo> Model::diagnostics() const { return impl_->diagnostics(); }

std::vector<SymbolInfo> Model::symbols() const {
  Sources sources;
  Diagnostics diagnostics;
  SymbolTable table;
  check(load_partly(impl_->source, sources, diagnostics), diagnostics, impl_->parameters.values(), &table);
  return symbol_infos(table, sources);
}

std::string Model::name() const { return ok() ? impl_->equations->name : ""; }
std::string Model::doc() const { return ok() ? impl_->equations->doc : ""; }

ModelSize Model::size() const {
  if (!ok()) return {};
  const Equations& e = *impl_->equations;
  return {e.parameters.size(), coordinate_count(e), velocity_count(e), contact_count(e)};
}

// Other overrides may be another model, if sizes of arrays depend on them.
std::vector<ParameterInfo> Model::parameters(const Overrides& overrides) const {
  std::vector<ParameterInfo> list;
  if (!ok()) return list;
  const GivenParameters given(impl_->overrides_of(overrides));
  const std::shared_ptr<const Impl> model = impl_->with(given);
  model->good_equations();
  const std::lock_guard lock(model->mutex);
  const sym::ExprPool& pool = model->pipeline.pool();
  const std::vector<double> values = parameter_values(pool, *model->equations, given.values());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ParameterEquation& p = model->equations->parameters[i];
    const TypedParameter& typed = model->pipeline.checked()->parameters[i];
    list.push_back({p.name, p.doc, p.dimension, values[i],
                    pool.is_constant(p.value) ? "" : sym::to_infix(pool, p.value, 200), typed.structural,
                    place_of(model->pipeline.sources(), p.span), typed.bounds, typed.signal.has_value()});
  }
  return list;
}

std::vector<VariableInfo> Model::coordinates() const { return variables(*impl_, &BlockEquation::q); }
std::vector<VariableInfo> Model::velocities() const { return variables(*impl_, &BlockEquation::u); }

std::vector<VariableInfo> Model::states() const { return signals(*impl_, SignalKind::state); }
std::vector<VariableInfo> Model::discrete() const { return signals(*impl_, SignalKind::discrete); }

std::vector<EventDescription> Model::events() const {
  std::vector<EventDescription> list;
  if (!ok()) return list;
  const std::lock_guard lock(impl_->mutex);
  for (const EventEquation& event : impl_->equations->events)
    list.push_back({event_text(impl_->pipeline.pool(), *impl_->equations, event), event.doc});
  return list;
}

std::vector<BodyInfo> Model::bodies() const {
  std::vector<BodyInfo> list;
  if (!ok()) return list;
  for (const BlockEquation& block : impl_->equations->blocks) {
    list.push_back({with_index(block.name, ""), block.doc, block.instances.count(), !block.instances.single(),
                    place_of(impl_->pipeline.sources(), block.span)});
  }
  return list;
}

std::vector<ContactInfo> Model::contacts() const {
  std::vector<ContactInfo> list;
  if (!ok()) return list;
  const std::lock_guard lock(impl_->mutex);
  for (const ContactEquation& contact : impl_->equations->contacts) {
    const bool array = !contact.instances.single();
    ContactInfo& info = list.emplace_back();
    info.name = with_index(contact.name, array ? "[i]" : "");
    info.doc = contact.doc;
    info.count = contact.instances.count();
    info.array = array;
    info.always_closed = contact.always_closed;
    for (const LawEquation& law : contact.laws) info.laws.push_back(law_info(impl_->pipeline.pool(), contact, law));
  }
  return list;
}

std::vector<OutputInfo> Model::outputs() const {
  std::vector<OutputInfo> list;
  if (!ok()) return list;
  for (const OutputEquation& output : impl_->equations->outputs) {
    list.push_back({with_index(output.name, "[i]"), output.doc, output.dimension});
  }
  return list;
}

std::vector<ColumnInfo> Model::columns() const {
  std::vector<ColumnInfo> list;
  if (!ok()) return list;
  const std::lock_guard lock(impl_->mutex);
  const std::shared_ptr<const KernelPlan> plan = impl_->pipeline.planned(Level::velocity);
  for (std::size_t i = 0; i < plan->columns.size(); ++i) list.push_back({plan->columns[i], plan->column_dimensions[i]});
  return list;
}

std::vector<SettingInfo> Model::settings() const {
  std::vector<SettingInfo> list;
  const std::lock_guard lock(impl_->mutex);
  const std::vector<double> start = ok() ? start_of(*impl_) : std::vector<double>();
  for (const SettingRow& row : setting_rows()) {
    SettingInfo& info = list.emplace_back();
    info.name = row.name;
    info.help = row.help;
    info.standard = row.standard;
    info.unit = row.kind == SettingKind::time ? "s" : "1";
    info.words.assign(row.words.begin(), row.words.end());
    if (!ok()) continue;
    const SettingValues<sym::Expr>& written = impl_->equations->settings;
    if (const auto number = written.number(row.name)) {
      info.written = constant_value(impl_->pipeline.pool(), *number, start);
    } else if (const std::string word = written.word(row.name); !word.empty()) {
      info.written = word;
    }
  }
  return list;
}

std::vector<std::string> Model::gauges() const {
  if (!ok()) return {};
  const std::lock_guard lock(impl_->mutex);
  return gauge_definitions(impl_->pipeline.pool(), expressions_with_gauges(*impl_->equations));
}

}  // namespace nsmc
