#include "compiler/support/habits.hpp"

#include <algorithm>
#include <vector>

namespace nsmc {
namespace {

// ----------------------------------------------------------------------------------------------------------- words

struct WordRow {
  HabitOf of;
  std::string_view words;  // separated by blanks
  std::string_view hint;
  std::string_view write = {};  // of functions the whole call
};

constexpr std::string_view kNumbers = "a number is declared param m = 0.1 [kg], a value made of others let k = 2*m";
constexpr std::string_view kChoice = "a choice is written piecewise { z > 0: 1, else: 0 }";
constexpr std::string_view kDerived =
    "equations of motion are derived: give kinetic and potential energy, forces and contacts";
constexpr std::string_view kFunction = "a function is declared fn f(x) = x^2";
constexpr std::string_view kVelocity = "a time derivative is written x'";
constexpr std::string_view kAcceleration = "accelerations are not known in a model; velocities are, as in z'";
constexpr std::string_view kArrays = "an array is declared with its range: coord z[i in 1..n] [m]";

constexpr WordRow kWords[] = {
    {HabitOf::name, "PI Pi M_PI π", "did you mean 'pi'?", "pi"},
    {HabitOf::name, "time Time", "did you mean 't'?", "t"},
    {HabitOf::name, "Inf INF infinity Infinity INFINITY", "did you mean 'inf'?", "inf"},
    {HabitOf::name, "g grav gravity G9", "no constants of nature are built in; declare it: param g = 9.81 [m/s^2]"},
    {HabitOf::name, "None none null NULL nil nullptr", "every declaration has a value; what is not needed is left out"},
    {HabitOf::name, "kg deg rad Hz rpm kN", "units stand in brackets behind their number: 0.1 [kg]"},
    {HabitOf::name, "i j", "an index has its range: z[i in 1..n] behind a name, or for i in 1..n at the end"},
    {HabitOf::name, "true false True False", "a condition is a comparison: z > 0"},
    {HabitOf::name, "math np numpy Math std cmath Modelica", "functions stand by themselves: sin(x)"},
    {HabitOf::name, "self this",
     "names stand by themselves: x, and members of bodies and contacts after a point: floor.N"},
    {HabitOf::name, "ddx ddz ddq x_ddot xddot z_ddot zddot", kAcceleration},
    {HabitOf::name, "dt", kVelocity},
    {HabitOf::name, "E", "energy is the energy of the model; exp(1) is Euler's number"},

    {HabitOf::function, "der ddt deriv derivative Dt", kVelocity, "$1'"},
    {HabitOf::function, "diff D pdiff", "a time derivative is written x', a partial one d(f, x)"},
    {HabitOf::function, "arctan", "did you mean 'atan'?", "atan($1)"},
    {HabitOf::function, "arcsin", "did you mean 'asin'?", "asin($1)"},
    {HabitOf::function, "arccos", "did you mean 'acos'?", "acos($1)"},
    {HabitOf::function, "arctan2", "did you mean 'atan2'?"},
    {HabitOf::function, "ln", "did you mean 'log'?", "log($1)"},
    {HabitOf::function, "log10 lg", "log is the natural logarithm: log(x)/log(10)", "log($1)/log(10)"},
    {HabitOf::function, "log2", "log is the natural logarithm: log(x)/log(2)", "log($1)/log(2)"},
    {HabitOf::function, "sgn signum", "did you mean 'sign'?", "sign($1)"},
    {HabitOf::function, "fabs", "did you mean 'abs'?", "abs($1)"},
    {HabitOf::function, "length magnitude mag vecnorm", "did you mean 'norm'?", "norm($1)"},
    {HabitOf::function, "square sqr sq", "a square is written x^2", "$1^2"},
    {HabitOf::function, "power", "did you mean 'pow'?"},
    {HabitOf::function, "fmod rem remainder", "did you mean 'mod'?"},
    {HabitOf::function, "inv", "did you mean 'inverse'?", "inverse($1)"},
    {HabitOf::function, "trans", "did you mean 'transpose'?", "transpose($1)"},
    {HabitOf::function, "eye", "did you mean 'identity'?", "identity($1)"},
    {HabitOf::function, "zeros ones array vec vector matrix", "a vector is written [x, y], a matrix [[a, b], [c, d]]"},
    {HabitOf::function, "float double int Real real integer", "numbers need no conversion", "$1"},
    {HabitOf::function, "range linspace arange colon", kArrays},
    {HabitOf::function, "heaviside Heaviside where ifelse iff select ite if If", kChoice},
    {HabitOf::function, "integral integrate trapz cumsum quad",
     "only the motion is integrated; a sweep has measures such as mean(x)"},
    {HabitOf::function, "deg2rad radians", "an angle has its unit: 45 [deg]"},
    {HabitOf::function, "rad2deg degrees",
     "angles are in radians; an output may have a unit: output angle [deg] = phi"},
    {HabitOf::function, "cot", "write 1/tan(x)", "1/tan($1)"},
    {HabitOf::function, "sec", "write 1/cos(x)", "1/cos($1)"},
    {HabitOf::function, "csc", "write 1/sin(x)", "1/sin($1)"},
    {HabitOf::function, "noEvent smooth pre edge change",
     "events are found where contacts open and close; no word is needed"},
    {HabitOf::function, "assert", "a model is checked by nsmc check; what a run says of itself are its warnings"},

    {HabitOf::unit, "sec secs second seconds", "did you mean 's'?", "s"},
    {HabitOf::unit, "millisecond milliseconds msec", "did you mean 'ms'?", "ms"},
    {HabitOf::unit, "hour hours hr", "did you mean 'h'?", "h"},
    {HabitOf::unit, "minute minutes", "did you mean 'min'?", "min"},
    {HabitOf::unit, "meter meters metre metres", "did you mean 'm'?", "m"},
    {HabitOf::unit, "millimeter millimeters millimetre millimetres", "did you mean 'mm'?", "mm"},
    {HabitOf::unit, "centimeter centimeters centimetre centimetres", "did you mean 'cm'?", "cm"},
    {HabitOf::unit, "kilogram kilograms kilo kilos", "did you mean 'kg'?", "kg"},
    {HabitOf::unit, "gram grams gr", "did you mean 'g'?", "g"},
    {HabitOf::unit, "newton newtons Newton", "did you mean 'N'?", "N"},
    {HabitOf::unit, "degree degrees Deg DEG", "did you mean 'deg'?", "deg"},
    {HabitOf::unit, "radian radians", "did you mean 'rad'?", "rad"},
    {HabitOf::unit, "hertz Hertz", "did you mean 'Hz'?", "Hz"},
    {HabitOf::unit, "joule joules Joule", "did you mean 'J'?", "J"},
    {HabitOf::unit, "watt watts Watt", "did you mean 'W'?", "W"},
    {HabitOf::unit, "pascal Pascal", "did you mean 'Pa'?", "Pa"},
    {HabitOf::unit, "inch inches in", "an inch is 25.4 [mm]"},
    {HabitOf::unit, "ft foot feet", "a foot is 304.8 [mm]"},
    {HabitOf::unit, "lb lbs lbm", "a pound is 0.45359237 [kg]"},
    {HabitOf::unit, "lbf", "a pound-force is 4.4482216 [N]"},
    {HabitOf::unit, "m2 m3 s2 s3 mm2 mm3 cm2 cm3 kgm2 rad2", "a power has its sign: m/s^2, kg m^2"},
    {HabitOf::unit, "Nm Ns Nms kgm Js", "units are separated by blanks: N m, kg m^2"},
    {HabitOf::unit, "mps", "velocities are in [m/s]", "m/s"},
    {HabitOf::unit, "percent pct", "a ratio has no unit: 0.05"},

    {HabitOf::declaration, "def function func lambda proc sub", kFunction},
    {HabitOf::declaration, "end endif endfor", "a declaration has no end; bodies of contacts and laws end with }"},
    {HabitOf::declaration,
     "parameter parameters const constant constexpr final double float Real real Integer int var auto global define",
     kNumbers},
    {HabitOf::declaration, "equation equations algorithm solve ode", kDerived},
    {HabitOf::declaration, "print printf disp display cout plot figure write",
     "what is recorded is an output: output height = z; nsmc plot draws it"},
    {HabitOf::declaration, "class struct object type",
     "bodies are declared body b = rigid(mass = m, ...), coordinates coord z [m]"},
    {HabitOf::declaration, "while for loop",
     "the motion is computed from 0 to `until`; what is many is declared with a range: "
     "coord z[i in 1..n] [m]"},
    {HabitOf::declaration, "if else elseif elif switch", kChoice},
    {HabitOf::declaration, "include using from require",
     "a file is imported by import \"laws.nsm\"; the library needs no import"},
    {HabitOf::declaration, "return", kFunction},
    {HabitOf::declaration, "variable variables state coordinate coordinates dof",
     "a coordinate is declared coord z [m] = 1"},
    {HabitOf::declaration, "assert", "a model is checked by nsmc check"},
    {HabitOf::declaration, "geom geometry collision visual", "a shape is declared shape s = sphere(radius = r) on b"},
    {HabitOf::declaration, "link rigid rigid_body worldbody", "a body is declared body b = rigid(mass = m, ...)"},
    {HabitOf::declaration, "annotation experiment options option settings solver",
     "how a run is done stands in simulate { until 5 [s]  step 1e-3 [s] }"},
    {HabitOf::declaration, "gap slip spin roll", "it belongs to a contact: contact floor { gap z  law unilateral }"},
    {HabitOf::declaration, "lagrangian Lagrangian", "give the two energies, kinetic and potential"},

    {HabitOf::setting, "dt h stepsize step_size timestep time_step Interval deltat", "did you mean 'step'?", "step"},
    {HabitOf::setting,
     "t_end tend tEnd t_max tmax t_final tfinal T stop_time stopTime StopTime end_time duration end t_stop tstop time",
     "did you mean 'until'?", "until"},
    {HabitOf::setting, "tol Tolerance eps epsilon", "did you mean 'tolerance'?", "tolerance"},
    {HabitOf::setting, "maxiter max_iter maxit iterations", "did you mean 'max_iterations'?", "max_iterations"},
    {HabitOf::setting, "integrator scheme", "did you mean 'method'?", "method"},
    {HabitOf::setting, "start t_start t0 startTime StartTime", "a run starts at t = 0"},

    {HabitOf::law, "NewtonImpactFrictionNSL FrictionContact frictional",
     "these are two laws: law unilateral(e)  law coulomb(mu)", "unilateral"},
    {HabitOf::law, "sgn Sgn sign Sign", "did you mean 'coulomb'?", "coulomb"},
    {HabitOf::law, "Hertz hertz hunt_crossley HuntCrossley penalty kelvin_voigt",
     "contacts are rigid: law unilateral(e); a compliance is a spring or a force"},
    {HabitOf::law,
     "signorini normal contact unilateral_contact impact newton restitution hard NewtonImpactNSL "
     "ComplementarityConditionNSL",
     "did you mean 'unilateral'?", "unilateral"},
    {HabitOf::joint, "hinge pin rotational rotary ball_bearing", "did you mean 'revolute'?", "revolute"},
    {HabitOf::joint, "slide slider translational linear cylindrical", "did you mean 'prismatic'?", "prismatic"},
    {HabitOf::joint, "ball socket ball_socket", "did you mean 'spherical'?", "spherical"},
    {HabitOf::joint, "cardan hooke gimbal", "did you mean 'universal'?", "universal"},
    {HabitOf::joint, "weld rigid clamped", "did you mean 'fixed'?", "fixed"},
    {HabitOf::joint, "free freejoint floating free_motion", "a body that no joint holds is free"},
    {HabitOf::shape, "ball", "did you mean 'sphere'?", "sphere"},
    {HabitOf::shape, "cube cuboid brick rectangle", "did you mean 'box'?", "box"},
    {HabitOf::shape, "ground floor halfspace half_space wall", "did you mean 'plane'?", "plane"},
    {HabitOf::shape, "mesh convex hull convex_hull", "did you mean 'polyhedron'?", "polyhedron"},
    {HabitOf::law, "dry_friction coulomb_friction dry amontons", "did you mean 'coulomb'?", "coulomb"},
    {HabitOf::law, "frictionless smooth", "a contact without friction has the law unilateral alone"},
    {HabitOf::law, "stick fixed glued", "a velocity that stays 0 is a constraint: constraint c { slip x' }"},
    {HabitOf::law, "damper damping viscous_friction", "did you mean 'viscous'?", "viscous"},
};

// ----------------------------------------------------------------------------------------------------------- signs

struct SignRow {
  std::string_view
      declarations;  // the keywords that the declaration may begin with; "": any; "^": the signs begin a line
  // Separated by blanks, the one where the parser gave up behind an @. NAME, SAME (a name on the line of what stands
  // before it), NUM, STRING, KEY (of a declaration) and ANY stand for any such token.
  std::string_view tokens;
  std::string_view hint;
  std::string_view write = {};  // $1 is the first of the tokens; nothing: the hint alone; "-": leave them out
};

constexpr std::string_view kElements = "signs act on whole values, there are none for elements";
constexpr std::string_view kNoSign = "no sign stands here";
constexpr std::string_view kByEqual = "a value is given by =";
constexpr std::string_view kSettings = "settings stand side by side: until 5 [s]  step 1e-3 [s]";
constexpr std::string_view kFunctionForm = "a function is written fn f(x) = x^2";
constexpr std::string_view kBraces =
    "what belongs to a contact stands in braces: contact floor { gap z  law unilateral }";
constexpr std::string_view kLawBraces = "what belongs to a law stands in braces: law dry(mu) { force T  slip in ... }";
constexpr std::string_view kArguments = "arguments stand in parentheses: law coulomb(mu)";
constexpr std::string_view kPair = "a contact of two shapes is written contact a on b { ... }";
constexpr std::string_view kGap = "the gap is written gap z";
constexpr std::string_view kSlip = "the velocity of sliding is written slip x'";
constexpr std::string_view kUnit = "a unit stands in brackets: 2 [m]";
constexpr std::string_view kQuotes = "texts stand in double quotes";
constexpr std::string_view kNames = "a name is made of letters, digits and _";
constexpr std::string_view kListEnd = "a list does not end with a comma";

// The first that fits counts.
constexpr SignRow kSigns[] = {
    {"^", "@T =", "the kinetic energy is written kinetic m/2*x'^2", "kinetic"},
    {"^", "@V =", "the potential energy is written potential m*g*z", "potential"},
    {"^", "@U =", "the potential energy is written potential m*g*z", "potential"},
    {"^", "@NAME ' (", "an initial velocity is written initial x' = 1 [m/s]"},
    {"^", "@NAME ( NUM ) =", "an initial value is written coord x [m] = 1, or initial x = 1 [m]", "initial $1 ="},
    {"^", "@NAME ' =", "an initial velocity is written initial x' = 1 [m/s]", "initial $1' ="},
    {"^", "@NAME ( NAME ) =", kFunction, "fn $1($3) ="},
    {"contact constraint joint", "} @NAME =", kNumbers},
    {"contact constraint joint", "@g_N =", kGap, "gap"},
    {"contact constraint joint", "@gN =", kGap, "gap"},
    {"contact constraint joint", "@g =", kGap, "gap"},
    {"contact constraint joint", "@gamma_T =", kSlip, "slip"},
    {"contact constraint joint", "@gammaT =", kSlip, "slip"},
    {"contact constraint joint", "@v_T =", kSlip, "slip"},
    {"contact constraint joint", "@friction", "friction is a law: law coulomb(mu)"},
    {"contact constraint joint", "@NAME (", "a law is written law coulomb(mu)", "law $1("},
    {"contact constraint joint", "@NAME =", "a contact has a gap, a slip and laws; a value for them is let v = ..."},
    {"^", "@NAME =", kNumbers},
    {"^", "@< NAME", "XML is not read: a body is declared body b = rigid(mass = m, ...)"},
    {"", "NAME @: :", "functions stand by themselves: sin(x)"},
    {"", "NUM @{ NAME }", kUnit, "$1 [$3]"},
    {"", "NUM [ @STRING", "a unit stands without quotes: 2 [m]"},
    {"body shape joint draw spring damper", "= @STRING", "numbers stand without quotes: 2 [m], [0, 0, 1]"},
    {"param let coord output", "= @STRING", "numbers stand without quotes: param m = 0.1 [kg]"},
    {"", "( NUM @, NUM", "a vector is written in brackets: [x, y, z]"},
    {"param let", "NUM @, NAME", "each has a declaration of its own: param a = 1  param b = 2"},
    {"coord velocity", "] @,", "each has a declaration of its own: coord x [m]  coord z [m]"},
    {"coord velocity", "@[ NAME ] NAME", "the unit stands behind the name: coord x [m]", "$4 [$2]"},
    {"coord velocity output param", "NAME @: [", "the unit stands behind the name: coord x [m]", "$1 ["},
    {"param coord velocity output let", "KEY @NUM", "a name starts with a letter"},
    {"param coord velocity output let", "NAME @- NAME =", kNames, "$1_$3 ="},
    {"param coord velocity output let", "NAME @- NAME [", kNames, "$1_$3 ["},
    {"param", "] @ANY", "bounds are written param mu = 0.3 in 0..1"},
    {"initial", "initial NAME @(", "an initial velocity is written initial x' = 1 [m/s]"},
    {"initial", "initial @{", "each has a declaration of its own: initial x' = 1 [m/s]"},
    {"simulate", "NUM NAME @}", kUnit, "$1 [$2] }"},
    {"simulate", "NUM NAME NAME @NUM", kUnit},

    {"", "piecewise @(", kChoice},
    {"", "@' NAME '", "texts stand in double quotes, names in none"},
    {"", "NUM @, NUM", "decimals stand behind a point: 0.8", "$1.$3"},
    {"", "* @*", "use ^ for powers", "^"},
    {"", ". @^", kElements, "^"},
    {"", ". @*", kElements, "*"},
    {"", ". @/", kElements, "/"},
    {"", ". @'", "a matrix is transposed by transpose(A)"},
    {"", "@.. .", "an expression may go on in the next line without a sign", "-"},
    {"", "< @>", "different is written !=", "!="},
    {"", "if @ANY", kChoice},
    {"", "@if", kChoice},
    {"", "then @ANY", kChoice},
    {"", "@then", kChoice},
    {"", "return @ANY", "a function is its value: fn f(x) = x^2", "$2"},
    {"", "lambda @ANY", kFunction},
    {"", "NUM @( NAME )", "a unit stands in brackets, 2 [m], and a product has its sign, 2*(m)"},
    {"coord velocity", "NAME @(", "an initial value is written coord x [m] = 1"},
    {"param let", "param NAME @(", "a unit stands in brackets: param m = 0.1 [kg]"},
    {"", "NUM @(", "a product has its sign: 2*(x + y)", "$1*("},
    {"", ", @)", kListEnd, ")"},
    {"", ", @]", kListEnd, "]"},
    {"", "NUM @°", "degrees are written 45 [deg]", "$1 [deg]"},
    {"when every", "NAME @=", "in an event a value changes by :=", "$1 :="},
    {"", "@:=", kByEqual, "="},
    {"", "@: =", kByEqual, "="},
    {"param let output coord velocity", "NAME @: NUM", kByEqual, "$1 = $3"},
    {"param let output coord velocity", "NAME @:", kByEqual},
    {"param let output coord velocity set fn shape body joint", "@==", kByEqual, "="},
    {"param", "NAME @IN", "bounds follow the value: param mu = 0.3 in 0..1"},
    {"param let", "NAME @NAME", "numbers have no type: param m = 0.1 [kg]"},
    {"kinetic", "KEY @=", "no = here: kinetic m/2*x'^2", "$1"},
    {"kinetic", "KEY @:", "no : here: kinetic m/2*x'^2", "$1"},
    {"potential", "KEY @=", "no = here: potential m*g*z", "$1"},
    {"potential", "KEY @:", "no : here: potential m*g*z", "$1"},
    {"dissipation", "KEY @=", "no = here: dissipation d/2*x'^2", "$1"},
    {"gravity", "KEY @=", "no = here: gravity [0, 0, -9.81] [m/s^2]", "$1"},
    {"gravity", "KEY @:", "no : here: gravity [0, 0, -9.81] [m/s^2]", "$1"},
    {"mass", "KEY @=", "no = here: mass [[m, 0], [0, m]]", "$1"},
    {"force", "force NAME @=", "a force is written force x : value", "force $2 :"},
    {"coord velocity", "NAME @,", "each has a declaration of its own: coord x [m]  coord z [m]"},
    {"param let", "NAME @,", "each has a declaration of its own: param a = 1  param b = 2"},
    {"output", "NAME @,", "each output has a name and a value: output height = z"},
    {"output", "output NAME @ANY", "an output has a name and a value: output height = z"},
    {"coord", "coord NAME [ NUM @: NUM ]", kArrays, "coord $2[i in $4..$6]"},
    {"coord", "coord NAME [ NUM ] @[", kArrays, "coord $2[i in 1..$4] ["},
    {"let", "let NAME @(", kFunction, "fn $2("},
    {"fn", ") @- >", kFunctionForm, ") ="},
    {"fn", ") @:", kFunctionForm, ") ="},
    {"fn", ") @{", kFunctionForm},
    {"import", "import @NAME", "import takes a file: import \"laws.nsm\"; the library needs no import"},
    {"model", "model @STRING", "a model has a name, and then a description: model ball \"A ball on a table\""},
    {"model", "NAME @- NAME", kNames, "$1_$3"},
    {"simulate", "NAME @=", kSettings, "$1"},
    {"simulate", "NAME @:", kSettings, "$1"},
    {"simulate", "@,", kSettings, "-"},
    {"simulate", "simulate @ANY", "settings stand in braces: simulate { until 5 [s]  step 1e-3 [s] }"},
    {"contact constraint joint", "gap @=", kNoSign, "gap"},
    {"contact constraint joint", "gap @:", kNoSign, "gap"},
    {"contact constraint joint", "slip @=", kNoSign, "slip"},
    {"contact constraint joint", "slip @:", kNoSign, "slip"},
    {"contact constraint joint", "law NAME @[", kArguments},
    {"contact constraint joint", "law NAME @{", kArguments},
    {"contact constraint joint", "law @:", kNoSign, "law"},
    {"contact constraint joint", "law @=", kNoSign, "law"},
    {"contact constraint joint", "@restitution NAME", "the restitution is an argument: law unilateral(restitution = e)",
     "(restitution = $2)"},
    {"contact constraint joint", "@restitution NUM", "the restitution is an argument: law unilateral(restitution = e)",
     "(restitution = $2)"},
    {"contact constraint joint", "@mu", "the coefficient is an argument: law coulomb(mu)"},
    {"contact constraint joint", "@,", "the parts of a contact stand side by side: gap z  law unilateral", "-"},
    {"contact", "contact NAME @: SAME", "a contact of two shapes is written contact touch = a on b { ... }", "$2 = $4"},
    {"contact", "contact NAME = @{", kBraces, "{"},
    {"contact", "contact @{", "a contact has a name: contact floor { gap z  law unilateral }"},
    {"contact", "= @(", kPair},
    {"contact", "] @-", kPair, "] on"},
    {"contact", "@with NAME", kPair, "on $2"},
    {"contact", "@and NAME", kPair, "on $2"},
    {"shape", ") @SAME", "a shape is put on its body: shape s = sphere(radius = r) on b", "$1 on $2"},
    {"contact", "contact NAME @gap", kBraces},
    {"contact", "contact NAME @slip", kBraces},
    {"contact", "contact NAME @law", kBraces},
    {"contact constraint joint", "contact NAME @(", kBraces},
    {"contact constraint joint", "contact NAME @:", kBraces},
    {"contact constraint", "@= NUM", "the gap is the distance itself: gap z"},
    {"contact constraint joint law simulate", "@end", "the body ends with }", "}"},
    {"law", "end @ANY", "the body ends with }"},
    {"law", "@= normal_cone", "an inclusion is written slip in normal_cone(C, -T)", "in $2"},
    {"law", ") @:", kLawBraces},
    {"law", "NAME @:", kLawBraces},
    {"model", "NAME @'", kQuotes},
    {"", "' @SAME", kQuotes},
};

// ------------------------------------------------------------------------------------------------------ characters

struct CharacterRow {
  std::string_view character, hint;
};

constexpr CharacterRow kCharacters[] = {
    {";", "no semicolons needed: every declaration starts with a keyword"},
    {"&", "write 'and'"},
    {"|", "write 'or'"},
    {"!", "write 'not', or != to compare"},
    {"?", kChoice},
    {"#", "a comment starts with //"},
    {"%", "a comment starts with //; the remainder is mod(x, y), and 5 percent are 0.05"},
    {"\\", "an expression may go on in the next line without a sign"},
    {"@", "products are written *, of vectors dot(a, b)"},
    {"~", "different is written !=, and the opposite of a condition not"},
    {"$", "names are made of letters, digits and _"},
    {"`", "texts stand in double quotes"},
    {"∞", "write inf"},
    {"≤", "write <="},
    {"≥", "write >="},
    {"≠", "write !="},
    {"−", "write - (this is U+2212, the typographic minus sign)"},
    {"–", "write - (this is U+2013, a dash)"},
    {"÷", "write /"},
    {"²", "write ^2"},
    {"³", "write ^3"},
    {"½", "write 1/2"},
    {"′", "write ' for the time derivative"},
    {"’", "write ' for the time derivative"},
    {"̇", "write ' for the time derivative"},
    {"“", "write \" around a string"},
    {"”", "write \" around a string"},
    {"√", "write sqrt(x) or x^(1/2)"},
    {"_", "a name starts with a letter"},
};

// ---------------------------------------------------------------------------------------------------------------

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

bool has_word(std::string_view list, std::string_view word) {
  const std::vector<std::string_view> words = split(list);
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool fits(std::string_view wanted, const HabitToken& token) {
  if (wanted == "ANY") return true;
  if (wanted == "NAME") return token.kind == HabitToken::Kind::name;
  if (wanted == "SAME") return token.kind == HabitToken::Kind::name && !token.begins_line;
  if (wanted == "KEY") return token.kind == HabitToken::Kind::keyword;
  if (wanted == "NUM") return token.kind == HabitToken::Kind::number;
  if (wanted == "STRING") return token.kind == HabitToken::Kind::string;
  if (wanted == "IN") return token.text == "in";
  return token.text == wanted;
}

std::optional<SignAdvice> advice(const SignRow& row, std::span<const HabitToken> tokens, std::size_t at) {
  const bool at_line = row.declarations == "^";
  if (at_line && !tokens[at].begins_line) return std::nullopt;
  if (!at_line && !row.declarations.empty() && !has_word(row.declarations, tokens[0].text)) return std::nullopt;
  std::vector<std::string_view> wanted = split(row.tokens);
  std::size_t before = 0;
  while (!wanted[before].starts_with('@')) ++before;
  wanted[before].remove_prefix(1);
  if (before > at || at - before + wanted.size() > tokens.size()) return std::nullopt;
  const std::size_t first = at - before;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!fits(wanted[i], tokens[first + i])) return std::nullopt;
  }
  SignAdvice result;
  result.hint = row.hint;
  result.first = first;
  result.last = first + wanted.size() - 1;
  if (row.write == "-") {
    result.write = "";
  } else if (!row.write.empty()) {
    std::string text;
    for (std::size_t i = 0; i < row.write.size(); ++i) {
      if (row.write[i] == '$') {
        text += tokens[first + static_cast<std::size_t>(row.write[++i] - '1')].text;
      } else {
        text += row.write[i];
      }
    }
    result.write = std::move(text);
  }
  return result;
}

}  // namespace

std::optional<Advice> habit(HabitOf of, std::string_view word) {
  for (const WordRow& row : kWords) {
    if (row.of != of || !has_word(row.words, word)) continue;
    Advice found{std::string(row.hint), std::nullopt};
    if (!row.write.empty()) found.write = row.write;
    return found;
  }
  return std::nullopt;
}

std::string with_argument(std::string_view text, std::string_view argument) {
  std::string result(text);
  const std::size_t at = result.find("$1");
  if (at != result.npos) result.replace(at, 2, argument);
  return result;
}

std::optional<SignAdvice> sign_habit(std::span<const HabitToken> tokens, std::size_t at) {
  if (at >= tokens.size()) return std::nullopt;
  for (const SignRow& row : kSigns) {
    if (auto found = advice(row, tokens, at)) return found;
  }
  return std::nullopt;
}

std::string_view character_habit(std::string_view character, std::string_view rest, bool operand, bool in_vector) {
  if (character == "|" && !operand) return "an absolute value is written abs(x), the length of a vector norm(v)";
  if (character == ";" && in_vector)
    return "components are separated by commas, [x, y], and the rows of a matrix are vectors: [[1, 0], [0, 1]]";
  if (character == "#" && rest.starts_with("include")) return "a file is imported by import \"laws.nsm\"";
  const bool letter = !rest.empty() && ((rest[0] | 0x20) >= 'a' && (rest[0] | 0x20) <= 'z');
  if (character == "\\" && letter) return "LaTeX is not read: sqrt(x), a/b, and names as alpha or mu_1";
  for (const CharacterRow& row : kCharacters) {
    if (row.character == character) return row.hint;
  }
  return {};
}

}  // namespace nsmc
