#include <nsmc/nsmc.hpp>
#include <nsmc/step_numbers.hpp>  // the only one that needs Eigen

#include <cstdio>

int main() {
  // The text may come from anywhere; imports would be looked for where ModelOptions::files says.
  const nsmc::Model model = nsmc::Model::from_text(R"(
    model ball "a ball that bounces on a table"
    param m = 0.1 [kg] "mass"
    param e = 0.8 "restitution"
    coord z [m] = 1 "height"
    kinetic m/2*z'^2
    potential m*9.81 [m/s^2]*z
    contact table { gap z  law unilateral(e) }
    simulate { until 2 [s]  step 1 [ms] }
  )");
  if (!model.ok()) {
    std::fputs(model.diagnostics_text().c_str(), stderr);
    return 1;
  }
  for (const nsmc::ParameterInfo& p : model.parameters()) {
    std::printf("%s = %g [%s] %s\n", p.name.c_str(), p.value, p.unit.c_str(), p.doc.c_str());
  }

  // One run, with another parameter and another setting than the model says.
  nsmc::Table table;
  const nsmc::RunResult run = model.run({.overrides = {{"e", 0.5}}, .settings = {{"until", "500[ms]"}}}, table);
  std::printf("%zu rows, z = %.4f m at t = %g s\n", table.rows(), table.column("z").back(), table.t.back());
  if (run.end != nsmc::RunEnd::finished) std::printf("%s\n", run.message.c_str());

  // Many runs, on all cores.
  const nsmc::StudyResult study = model.study({.axes = {{"e=0,0.5,1"}}, .measures = {"max(z')", "time(table.N > 0)"}});
  for (const nsmc::StudyRow& row : study.rows) {
    std::printf("e = %g: up to %.3f m/s, first contact at %.2f s, %s\n", *row.point[0].number(), *row.values[0],
                *row.values[1], row.status.c_str());
  }

  // A run in the hand of the caller, and the matrices of its step once the ball lies on the table.
  nsmc::Run in_hand = model.start({.overrides = {{"e", 0}}});
  in_hand.advance(1);
  if (const auto numbers = nsmc::step_numbers(in_hand)) {
    const Eigen::MatrixXd G = numbers->G();
    std::printf("G of %s: %ld x %ld, %.1f 1/kg, rank %d; c = %.5f m/s\n", numbers->rows[0].c_str(), long(G.rows()),
                long(G.cols()), G(0, 0), numbers->rank, numbers->c()(0));
  }

  // What does not fit is said by name.
  try {
    model.run({.settings = {{"omega", 3}}});
  } catch (const nsmc::SettingError& error) {
    std::printf("%s: %s\n", error.setting.c_str(), error.what());
  }
}
