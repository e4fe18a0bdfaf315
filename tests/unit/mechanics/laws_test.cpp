// Laws in the form B gamma + D lambda in N_{A K}(-lambda): what the compiler reads off the inclusions.
#include "tests/unit/mechanics/derived_model.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

// A block on a plane with a gap, a slip in two directions and a spin; `declarations` bring laws, `uses` uses them.
DerivedModel block(const std::string& declarations, const std::string& uses) {
  return DerivedModel("model block\nparam mu = 0.3  param nu = 0.8  param a = 0.4  param s = 2\n" + declarations + R"(
    coord x  coord y  coord z  coord phi
    kinetic x'^2/2 + y'^2/2 + z'^2/2 + phi'^2/2
    contact floor { gap z  slip [x', y']  spin phi'  )" +
                      uses + "}");
}

std::string friction(const std::string& set, const std::string& left = "slip") {
  return "law friction { force T[2]  " + left + " in normal_cone(" + set + ", -T) }";
}

DerivedModel with_friction(const std::string& set, const std::string& left = "slip") {
  return block(friction(set, left), "law unilateral  law friction");
}

// Numbers to evaluate at: N = 5, T = (1, 2), slip = (0.7, -0.4).
Point point() {
  Point x;
  x.t = 0.6;
  x.p = {0.3, 0.8, 0.4, 2};
  x.q = {0.1, 0.2, 0.3, 0.5};
  x.u = {0.7, -0.4, 0.2, 1.1};
  x.lambda = {5, 1, 2, 3};
  return x;
}

void check_set(const DerivedModel& model, const SimpleSet& set, SetKind kind, std::size_t dim,
               const std::vector<double>& arguments, const std::vector<double>& centre = {}) {
  CHECK((set.kind == kind));
  CHECK(set.dim == dim);
  check_near(model.at(point(), set.arguments), arguments);
  check_near(model.at(point(), set.centre), centre);
}

void check_matrix(const DerivedModel& model, const Matrix& m, const std::vector<double>& entries) {
  check_near(model.at(point(), m), entries);
}

bool same(const Matrix& a, const Matrix& b) { return a.rows == b.rows && a.cols == b.cols && a.entries == b.entries; }

// Equal as expressions, extents as numbers (a zero may have either sign).
void check_same_law(const DerivedModel& model, const LawEquation& a, const LawEquation& b) {
  CHECK(a.size == b.size);
  CHECK(a.velocities == b.velocities);
  CHECK(same(a.A, b.A));
  CHECK(same(a.B, b.B));
  CHECK(same(a.D, b.D));
  CHECK(a.identity_A == b.identity_A);
  CHECK(a.identity_B == b.identity_B);
  CHECK(a.zero_D == b.zero_D);
  CHECK((a.restitution == b.restitution));
  REQUIRE(a.sets.size() == b.sets.size());
  for (std::size_t i = 0; i < a.sets.size(); ++i) {
    CHECK((a.sets[i].kind == b.sets[i].kind));
    CHECK(a.sets[i].dim == b.sets[i].dim);
    check_near(model.at(point(), a.sets[i].arguments), model.at(point(), b.sets[i].arguments));
    check_near(model.at(point(), a.sets[i].centre), model.at(point(), b.sets[i].centre));
  }
}

}  // namespace

TEST_CASE("unilateral and Coulomb in space") {
  const DerivedModel model = block("", "law unilateral(restitution = 0.6)  law coulomb(mu)");
  const LawEquation& normal = model.law(0);
  check_set(model, normal.sets.at(0), SetKind::interval, 1, {-HUGE_VAL, 0});
  CHECK(normal.identity_B);
  CHECK(normal.identity_A);
  CHECK(normal.zero_D);
  CHECK_FALSE(normal.positive_sign);
  check_near(model.at(point(), normal.restitution), {0.6});
  CHECK(normal.velocities == std::vector<std::size_t>{0});
  const LawEquation& tangential = model.law(1);
  CHECK(tangential.first == 1);
  CHECK(tangential.velocities == std::vector<std::size_t>{1, 2});
  REQUIRE(tangential.sets.size() == 1);
  check_set(model, tangential.sets[0], SetKind::ball, 2, {0.3 * 5});
  check_near(model.at(point(), tangential.restitution), {0, 0});
  CHECK(tangential.force_names == std::vector<std::string>{"T[1]", "T[2]"});
}

TEST_CASE("Coulomb in the plane is an interval") {
  const DerivedModel model(R"(
    model plane
    coord x  coord z
    kinetic x'^2/2 + z'^2/2
    contact floor { gap z  slip x'  law unilateral  law coulomb(0.25) }
  )");
  Point x;
  x.q = x.u = {0, 0};
  x.lambda = {4, 0};
  CHECK((model.law(1).sets.at(0).kind == SetKind::interval));
  check_near(model.at(x, model.law(1).sets.at(0).arguments), {-1, 1});
}

TEST_CASE("an ellipse is a transformed disc of the larger axis") {
  const DerivedModel model = block("", "law unilateral  law orthotropic(mu, nu)");
  const LawEquation& law = model.law(1);
  CHECK_FALSE(law.identity_A);
  check_matrix(model, law.A, {0.3 / 0.8, 0, 0, 1});
  REQUIRE(law.sets.size() == 1);
  check_set(model, law.sets[0], SetKind::ball, 2, {0.8 * 5});
  for (const sym::Expr e : law.A.entries) {
    CHECK_FALSE(sym::depends_on(model.pool, e, [](const sym::Symbol& s) { return s.source == sym::Source::force; }));
  }

  // Where one coefficient vanishes the map stays finite, and where both do as well.
  Point flat = point();
  flat.p[0] = 0;
  check_near(model.at(flat, law.A), {0, 0, 0, 1});
  check_near(model.at(flat, law.sets[0].arguments), {4});
  flat.p[1] = 0;
  check_near(model.at(flat, law.A), {0, 0, 0, 0});
  check_near(model.at(flat, law.sets[0].arguments), {0});
}

TEST_CASE("an ellipse with equal axes is a disc, with one axis an interval") {
  const DerivedModel disc = with_friction("ellipse(mu*N, mu*N)");
  CHECK(disc.law(1).identity_A);
  check_set(disc, disc.law(1).sets.at(0), SetKind::ball, 2, {1.5});
  const DerivedModel pair = with_friction("ellipsoid(mu*N) × ball(nu*N, 1)");
  REQUIRE(pair.law(1).sets.size() == 2);
  check_set(pair, pair.law(1).sets[0], SetKind::interval, 1, {-1.5, 1.5});
  check_set(pair, pair.law(1).sets[1], SetKind::interval, 1, {-4, 4});
}

TEST_CASE("axes that depend differently on the forces: projected on directly") {
  const DerivedModel model = with_friction("ellipse(mu*N, nu + a)");
  CHECK(model.law(1).identity_A);
  check_set(model, model.law(1).sets.at(0), SetKind::ellipsoid, 2, {1.5, 1.2});
  const DerivedModel powers = with_friction("ellipse(mu*N, nu*N^2)");
  check_set(powers, powers.law(1).sets.at(0), SetKind::ellipsoid, 2, {1.5, 20});
  // A common factor that is no plain force is found, too.
  const DerivedModel factor = with_friction("ellipse(mu*(N + 1), 2*(N + 1))");
  check_matrix(factor, factor.law(1).A, {0.15, 0, 0, 1});
  check_set(factor, factor.law(1).sets.at(0), SetKind::ball, 2, {12});
}

TEST_CASE("a rotated ellipse: the map goes in front") {
  const DerivedModel model = with_friction("[[cos(phi), -sin(phi)], [sin(phi), cos(phi)]] * ellipse(mu*N, nu*N)");
  const double c = std::cos(0.5), s = std::sin(0.5), ratio = 0.3 / 0.8;
  check_matrix(model, model.law(1).A, {c * ratio, -s, s * ratio, c});
  check_set(model, model.law(1).sets.at(0), SetKind::ball, 2, {4});
}

TEST_CASE("products: box, cylinder, powers, and a map on one factor") {
  const DerivedModel box = with_friction("box(mu*N, a)");
  REQUIRE(box.law(1).sets.size() == 2);
  check_set(box, box.law(1).sets[0], SetKind::interval, 1, {-1.5, 1.5});
  check_set(box, box.law(1).sets[1], SetKind::interval, 1, {-0.4, 0.4});
  const std::string three = "law l { force T[2], tau  [slip, spin] in normal_cone(";
  const DerivedModel cylinder = block(three + "cylinder(mu*N, a*N), -[T, tau]) }", "law unilateral  law l");
  CHECK(cylinder.law(1).velocities == std::vector<std::size_t>{1, 2, 3});
  REQUIRE(cylinder.law(1).sets.size() == 2);
  check_set(cylinder, cylinder.law(1).sets[0], SetKind::ball, 2, {1.5});
  check_set(cylinder, cylinder.law(1).sets[1], SetKind::interval, 1, {-2, 2});
  const DerivedModel mapped =
      block(three + "product([[2, 1], [0, 1]]*disc(N), interval(-1, 3)), -[T, tau]) }", "law unilateral  law l");
  check_matrix(mapped, mapped.law(1).A, {2, 1, 0, 0, 1, 0, 0, 0, 1});
  const DerivedModel power = block(three + "reals^3, -[T, tau]) }", "law l");
  REQUIRE(power.law(0).sets.size() == 3);
  for (const SimpleSet& set : power.law(0).sets) check_set(power, set, SetKind::interval, 1, {-HUGE_VAL, HUGE_VAL});
}

TEST_CASE("scaling: signs turn intervals round and leave balls alone") {
  const DerivedModel constant = with_friction("-2*(interval(-1, 3) × interval(-N, 0))");
  REQUIRE(constant.law(1).sets.size() == 2);
  check_set(constant, constant.law(1).sets[0], SetKind::interval, 1, {-6, 2});
  check_set(constant, constant.law(1).sets[1], SetKind::interval, 1, {0, 10});
  const DerivedModel parameter = with_friction("-s*(interval(-1, 3) × nonneg)");  // s = 2
  check_set(parameter, parameter.law(1).sets.at(0), SetKind::interval, 1, {-6, 2});
  check_set(parameter, parameter.law(1).sets.at(1), SetKind::interval, 1, {-HUGE_VAL, 0});
  const DerivedModel ball = with_friction("-s*(disc(mu*N) + [a, 1])");
  check_set(ball, ball.law(1).sets.at(0), SetKind::ball, 2, {3}, {-0.8, -2});
}

TEST_CASE("shifts: of intervals into their bounds, of balls to a centre, behind a map through its inverse") {
  const DerivedModel interval = with_friction("box(1, 2) + [a, -N]");
  check_set(interval, interval.law(1).sets.at(0), SetKind::interval, 1, {-0.6, 1.4});
  check_set(interval, interval.law(1).sets.at(1), SetKind::interval, 1, {-7, -3});
  const DerivedModel twice = with_friction("disc(1) + [a, 1] + [1, N]");
  check_set(twice, twice.law(1).sets.at(0), SetKind::ball, 2, {1}, {1.4, 6});
  const DerivedModel mapped = with_friction("[[2, 1], [1, 1]]*disc(N) + [3, 1]");  // inverse [[1, -1], [-1, 2]]
  check_matrix(mapped, mapped.law(1).A, {2, 1, 1, 1});
  check_set(mapped, mapped.law(1).sets.at(0), SetKind::ball, 2, {5}, {2, -1});
}

TEST_CASE("the left side: maps of velocities and compliance") {
  const DerivedModel collinear = with_friction("ellipse(mu*N, nu*N)", "diag(1/mu^2, 1/nu^2)*slip");
  CHECK_FALSE(collinear.law(1).identity_B);
  check_matrix(collinear, collinear.law(1).B, {1 / 0.09, 0, 0, 1 / 0.64});
  CHECK(collinear.law(1).zero_D);
  const DerivedModel viscous = block("", "law viscous(a)");
  check_matrix(viscous, viscous.law(0).B, {0.4, 0, 0, 0.4});
  check_matrix(viscous, viscous.law(0).D, {1, 0, 0, 1});
  CHECK_FALSE(viscous.law(0).zero_D);
  const DerivedModel mixed = with_friction("disc(N)", "[[1, x], [0, 2]]*slip + t*T");
  check_matrix(mixed, mixed.law(1).B, {1, 0.1, 0, 2});
  check_matrix(mixed, mixed.law(1).D, {0.6, 0, 0, 0.6});
}

TEST_CASE("both signs of the force say the same law") {
  const std::vector<std::pair<std::string, std::string>> scalar = {
      {"gap' in normal_cone(nonpos, -N)", "(-gap') in normal_cone(nonneg, N)"},
      {"gap' + 2*N in normal_cone(interval(-1, a), -N) restitution 0.5",
       "(-gap') - 2*N in normal_cone(interval(-a, 1), N) restitution 0.5"},
  };
  for (const auto& [minus, plus] : scalar) {
    CAPTURE(plus);
    const DerivedModel model("model m\nparam a = 0.4\nlaw minus { force N\n" + minus + " }\nlaw plus { force N\n" +
                             plus + " }\n" + R"(
      coord z
      kinetic z'^2/2
      contact one { gap z  law minus }
      contact two { gap z  law plus }
    )");
    CHECK_FALSE(model.law(0, 0).positive_sign);
    CHECK(model.law(0, 1).positive_sign);
    check_same_law(model, model.law(0, 0), model.law(0, 1));
  }
  const DerivedModel vector(R"(
    model m
    param mu = 0.3  param nu = 0.8
    law minus { force T[2]  [[1, 2], [0, 1]]*slip in normal_cone(ellipse(mu, nu) + [1, mu], -T) }
    law plus { force T[2]  [[-1, -2], [0, -1]]*slip in normal_cone(ellipse(mu, nu) + [-1, -mu], T) }
    coord x  coord y
    kinetic x'^2/2 + y'^2/2
    contact one { slip [x', y']  law minus }
    contact two { slip [x', y']  law plus }
  )");
  check_same_law(vector, vector.law(0, 0), vector.law(0, 1));
}

TEST_CASE("sets may depend on the contact's velocity: Stribeck's curve") {
  const DerivedModel model = with_friction("disc((mu + (nu - mu)*exp(-hypot(slip[1], slip[2])/a))*N)");
  const double speed = std::hypot(0.7, 0.4);
  check_set(model, model.law(1).sets.at(0), SetKind::ball, 2, {(0.3 + 0.5 * std::exp(-speed / 0.4)) * 5});
}

TEST_CASE("a restitution for each component") {
  const DerivedModel model =
      block("law friction { force T[2]  slip in normal_cone(disc(mu*N), -T) restitution [a, 0.1] }",
            "law unilateral  law friction");
  check_near(model.at(point(), model.law(1).restitution), {0.4, 0.1});
}
