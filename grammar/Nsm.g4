// The syntax of .nsm, the modelling language of nsmc: the exact reference, without actions.
//
// What the rules below cannot say, because it depends on blanks or on the place of a word, is decided one token at a
// time by compiler/syntax/tokens.cpp, so that the rules here need one token of lookahead (`contact` needs three after its name, to tell
// touch[i in 1..n] from bead[i]):
//   CALL   a '(' on the line of the name before it:  f(x).  At the start of a line a '(' opens an expression.
//   INDEX  a '[' that touches the name, ')', ']' or ' before it:  T[2].  After a blank a '[' opens a vector.
//   UNIT   a '[' on the line of the number or vector before it:  6e-3 [kg],  or after the name that `param`, `coord`,
//          `velocity`, `state`, `input`, `discrete` or `output` introduces, and in the head of a table. The index range of a `coord` or `output` touches the
//          name, z[i in 1..n], and a unit may follow it.
//   NEGATE a '-' with no operand before it; between operands it is the '-' of a difference.
//   LABEL  a word before '=' inside the parentheses of a call:  f(restitution = e).  Any keyword will do.
//   GAP, SLIP, SPIN, ROLL are keywords only where an item of a contact begins, RESTITUTION and SOLVE only after an
//          inclusion. ON (shape, contact, spring, damper), AT (shape, force), FOR (energies, force, torque, contact),
//          BETWEEN, STIFFNESS, LENGTH, ANGLE and DAMPING (spring, damper), AT, ALONG, TURNED and COLOR (draw), WHILE
//          (contact, constraint, joint) and BEYOND (table), and FOR within a call too, are keywords only in the declarations named here, outside
//          brackets and after an operand; TORQUE, DRAW, STATE, INPUT, DISCRETE and TABLE only where a declaration may
//          begin and a name follows; WHEN, EVERY and STOP where one may begin after a complete one.
//          Elsewhere the words are plain NAMEs. After a '.' and inside a unit every word is a NAME.
grammar Nsm;

tokens { CALL, INDEX, UNIT, LABEL, NEGATE }

// ---------------------------------------------------------------------------------------------------- declarations

file : declaration* EOF ;

// Newlines do not matter and nothing separates declarations: each begins with a keyword. The string is its
// documentation.
declaration
  : ( modelName | importFile | param | let | function | coord | velocity | kinematics | initial
    | kinetic | potential | dissipation | force | torque | mass | contact | constraint | setDefinition | law | output
    | simulate | body | gravity | shape | joint | spring | damper | draw | state | input
    | discrete | table | when | every | stop
    ) STRING?
  ;

modelName   : MODEL NAME ;                             // model rocking_block "A block on a shaking table"
importFile  : IMPORT STRING ;                          // import "laws.nsm"
param       : PARAM NAME unit? '=' expression (IN sum '..' sum)? ;  // param m = 0.1 [kg],  param mu = 0.3 in 0..1
let         : LET NAME '=' expression ;                // let c = m*g
function    : FN NAME parameters '=' expression ;      // fn ramp(x, s = 1) = max(0, s*x)
coord       : COORD NAME indexRange? unit? ('=' expression)? ;     // coord z [m] = 1,  coord z[i in 1..n] [m] = i*h
input       : INPUT NAME unit? '=' expression (IN sum '..' sum)? ;  // input F [N] = 0 in -10..10
state       : STATE NAME unit? ('=' expression)? NAME PRIME '=' expression ;  // state s [m s] = 0  s' = x - x0
discrete    : DISCRETE NAME unit? ('=' expression)? ;  // discrete k = 0
velocity    : VELOCITY NAME unit? ('=' expression)? ;  // velocity v [m/s]
// table torque(angle [rad]) [N m] = "torque.csv" cubic beyond held,  table f(x) = [[0, 1], [2, 5]]
table         : TABLE NAME CALL tableArgument (',' tableArgument)* ')' unit? '=' (STRING | expression) NAME? (BEYOND NAME)? ;
tableArgument : NAME unit? ;

when        : WHEN expression '{' assignment* '}' ;    // when x > 1 [m] { k := 1  x' := 0 }
every       : EVERY expression '{' assignment* '}' ;   // every 10 [ms] { u := -K*x }
stop        : STOP WHEN expression ;                   // stop when x > 1 [m] "reason"
assignment  : NAME PRIME? ':=' expression ;
kinematics  : KINEMATICS NAME PRIME '=' expression ;   // kinematics x' = v*cos(psi)
initial     : INITIAL NAME indexRange? PRIME? '=' expression ;     // initial z' = 0 [m/s]
kinetic     : KINETIC expression loop? ;               // kinetic m/2*z[i]'^2 for i in 1..n
potential   : POTENTIAL expression loop? ;
dissipation : DISSIPATION expression loop? ;
// force [0, -m*g],  or with a target, which is a name or one element of an array:  force x : -d*x',
// force top at [0, 0, a] : F,  force z[i] : F for i in 1..n
force       : FORCE expression ((AT expression)? ':' expression loop?)? ;
torque      : TORQUE element ':' expression loop? ;    // torque top : [0, 0, M]
mass        : MASS expression ;                        // mass [[m, 0], [0, J]]

// An array has an index range after its name, a declaration that stands for many has it at its end.
indexRange  : INDEX interval ']' ;                     // [i in 1..n]
loop        : FOR interval ;                           // for i in 1..n
interval    : NAME IN sum '..' sum ;
element     : NAME (INDEX expression ']')? ;           // top, bead[i + 1]
use         : NAME (INDEX ('*' | expression) ']')? ;   // grain[*] stands for all of them

body        : BODY NAME indexRange? '=' expression ;   // body bead[i in 1..n] = point(mass = m)
gravity     : GRAVITY expression ;                     // gravity [0, 0, -9.81] [m/s^2]
shape       : SHAPE NAME indexRange? '=' expression (ON element)? (AT expression)? ;
joint       : JOINT NAME indexRange? '=' expression (WHILE expression)? ('{' contactItem* '}')? ;
spring      : SPRING NAME indexRange? ends springItem* ;
springItem  : (STIFFNESS | LENGTH | ANGLE | DAMPING) expression ;  // each once
damper      : DAMPER NAME indexRange? ends DAMPING expression ;
ends        : BETWEEN sum AND sum | ON element ;       // two points, or a joint

// draw rod[i in 1..n] = line([0, 0], p),  draw bob = sphere(r) at [x, y] turned phi color "red"
draw        : DRAW NAME indexRange? '=' drawing drawItem* ;
drawing     : NAME (CALL (STRING | arguments)? ')')? ;
drawItem    : (AT | ALONG | TURNED) expression | COLOR STRING ;    // each once

contact     : CONTACT NAME contactOf? (WHILE expression)? '{' contactItem* '}' ;
contactOf   : indexRange                               // contact touch[i in 1..n] { gap z[i] }
            | (INDEX ('*' | expression) ']')? ON use loop?  // contact head on floor: the name is the first shape
            | '=' use ON use loop?                     // contact rim = disc on floor
            ;
constraint  : CONSTRAINT NAME indexRange? (WHILE expression)? '{' contactItem* '}' ;
contactItem : quantity | lawUse | let ;
quantity    : (GAP | SLIP | SPIN | ROLL) expression ;
lawUse      : LAW NAME (CALL arguments? ')')? ;        // law coulomb(mu = 0.3)

setDefinition : SET NAME parameters? '=' expression ;

law         : LAW NAME parameters? '{' lawItem* '}' ;
lawItem     : lawForces | let | inclusion ;
lawForces   : FORCE lawForce (',' lawForce)* ;         // force T[2], tau
lawForce    : NAME (INDEX expression ']')? ;
inclusion   : expression IN expression (RESTITUTION expression)? (SOLVE NAME)? ;  // solve direct

output      : OUTPUT NAME indexRange? unit? '=' expression ;
simulate    : SIMULATE '{' setting* '}' ;
setting     : NAME expression ;                        // until 3 [s]

parameters  : CALL (parameter (',' parameter)*)? ')' ;
parameter   : NAME | LABEL '=' expression ;            // a parameter with its default

// ------------------------------------------------------------------------------------------------------------ units

// A '/' divides by the next factor only; factors side by side are multiplied: [kg m/s^2].
unit         : UNIT unitFactor (('*' | '·' | '/')? unitFactor)* ']' ;
unitFactor   : NUMBER                                  // only 1: [1], [1/s]
             | (NAME | DEGREE) ('^' unitExponent)?
             ;
unitExponent : NEGATE? NUMBER | '(' NEGATE? NUMBER ('/' NUMBER)? ')' ;

// ------------------------------------------------------------------------------- expressions, from loose to binding

expression   : conjunction (OR conjunction)* ;
conjunction  : negation (AND negation)* ;
negation     : NOT negation | comparison ;
comparison   : intersection (('<' | '<=' | '>' | '>=' | '==' | '!=') intersection)? ;
intersection : sum ('∩' sum)* ;
sum          : product (('+' | '-') product)* ;
product      : unary (('*' | '/' | '×') unary)* ;
unary        : NEGATE unary | power ;                  // -x^2 is -(x^2)
power        : postfix ('^' unary)? ;                  // 2^3^2 is 2^(3^2), 2^-3 needs no parentheses
postfix      : NUMBER unit?
             | vector (PRIME suffix*)?
             | piecewise
             | primary suffix*
             ;
suffix       : PRIME                                   // the time derivative
             | INDEX expression (',' expression)* ']'
             | '.' NAME (CALL (expression (',' expression)*)? ')')?
             ;
primary      : NAME (CALL (arguments loop?)? ')')?     // f(x),  sum(c[i].N for i in 1..n)
             // With a body it is a set, and the arguments are the names of its variables: gauge (x, y) { ... };
             // without one it is a call: gauge(C, x).
             | (GAUGE | SUPPORT) CALL arguments ')' ('{' expression '}')?
             | '(' expression ')'
             ;
arguments    : argument (',' argument)* ;
argument     : (LABEL '=')? expression ;
vector       : '[' expression (',' expression)* ']' unit? ;  // a matrix is a vector of its rows
piecewise    : PIECEWISE '{' piece+ otherwise '}' ;
piece        : expression ':' expression ','? ;
otherwise    : ELSE ':' expression ','? ;

// ----------------------------------------------------------------------------------------------------------- tokens

MODEL : 'model' ;
IMPORT : 'import' ;
PARAM : 'param' ;
LET : 'let' ;
FN : 'fn' ;
COORD : 'coord' ;
VELOCITY : 'velocity' ;
KINEMATICS : 'kinematics' ;
INITIAL : 'initial' ;
KINETIC : 'kinetic' ;
POTENTIAL : 'potential' ;
DISSIPATION : 'dissipation' ;
FORCE : 'force' ;
MASS : 'mass' ;
CONTACT : 'contact' ;
CONSTRAINT : 'constraint' ;
SET : 'set' ;
LAW : 'law' ;
OUTPUT : 'output' ;
SIMULATE : 'simulate' ;
BODY : 'body' ;
GRAVITY : 'gravity' ;
SHAPE : 'shape' ;
JOINT : 'joint' ;
SPRING : 'spring' ;
DAMPER : 'damper' ;
TORQUE : 'torque' ;
DRAW : 'draw' ;
STATE : 'state' ;
INPUT : 'input' ;
DISCRETE : 'discrete' ;
TABLE : 'table' ;
WHEN : 'when' ;
EVERY : 'every' ;
STOP : 'stop' ;

GAP : 'gap' ;
SLIP : 'slip' ;
SPIN : 'spin' ;
ROLL : 'roll' ;
RESTITUTION : 'restitution' ;
SOLVE : 'solve' ;
ON : 'on' ;
AT : 'at' ;
ALONG : 'along' ;
TURNED : 'turned' ;
COLOR : 'color' ;
FOR : 'for' ;
BETWEEN : 'between' ;
STIFFNESS : 'stiffness' ;
LENGTH : 'length' ;
ANGLE : 'angle' ;
DAMPING : 'damping' ;
WHILE : 'while' ;
BEYOND : 'beyond' ;

IN : 'in' | '∈' ;
AND : 'and' ;
OR : 'or' ;
NOT : 'not' ;
PIECEWISE : 'piecewise' ;
ELSE : 'else' ;
GAUGE : 'gauge' ;
SUPPORT : 'support' ;

LPAREN : '(' ;
RPAREN : ')' ;
LBRACK : '[' ;
RBRACK : ']' ;
LBRACE : '{' ;
RBRACE : '}' ;
COMMA : ',' ;
COLON : ':' ;
DOTS : '..' ;
DOT : '.' ;
PRIME : '\'' ;
ASSIGN : '=' ;
BECOMES : ':=' ;
EQUAL : '==' ;
NOT_EQUAL : '!=' ;
LESS_EQUAL : '<=' ;
GREATER_EQUAL : '>=' ;
LESS : '<' ;
GREATER : '>' ;
PLUS : '+' ;
MINUS : '-' ;
STAR : '*' ;
SLASH : '/' ;
CARET : '^' ;
TIMES : '×' ;
CAP : '∩' ;
CDOT : '·' ;                  // in units only
DEGREE : '°' LETTER? ;        // in units only: [°], [°C]

NUMBER : DIGIT+ ('.' DIGIT+)? ([eE] [+-]? DIGIT+)? ;
NAME : LETTER (LETTER | DIGIT | [_\u2080-\u2089\u2090-\u209C\u1D62-\u1D6A] | [\u{1D7CE}-\u{1D7FF}])* ;

// Inside a string \" is a quote and \\ a backslash; every other backslash stands for itself. A string ends on its line.
STRING : '"' STRING_CHARACTER* '"' ;
UNTERMINATED_STRING : '"' STRING_CHARACTER* '\\'? ;

LINE_COMMENT : '//' ~[\r\n]* -> channel(HIDDEN) ;
BLOCK_COMMENT : '/*' COMMENT_CHARACTER* '*'+ '/' -> channel(HIDDEN) ;
UNTERMINATED_COMMENT : '/*' COMMENT_CHARACTER* '*'* ;  // cannot pass an end of comment, so it never wins over the rule above

BLANK : [ \t\r\n\f\u00A0]+ -> skip ;
UNKNOWN : . ;

fragment STRING_CHARACTER : ~["\\\r\n] | '\\' ~[\r\n] ;
fragment COMMENT_CHARACTER : ~'*' | '*'+ ~[*/] ;
fragment DIGIT : [0-9] ;

// Latin, Greek, Cyrillic and the letters of mathematics. Written out: Unicode classes cost time at every start.
fragment LETTER
  : [A-Za-z]
  | [\u00AA\u00B5\u00BA\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02AF]                // Latin-1, Latin Extended, IPA; µ
  | [\u0370-\u0373\u0376\u0377\u037B-\u037D\u0386\u0388-\u03F5\u03F7-\u03FF]   // Greek
  | [\u0400-\u0481\u048A-\u052F]                                               // Cyrillic
  | [\u1E00-\u1EFF\u1F00-\u1FBC]                                               // Latin and Greek with accents
  | [\u2102\u2107\u210A-\u2113\u2115\u2119-\u211D\u2124\u2126\u2128\u212A-\u212D\u212F-\u2139]  // ℂ ℓ ℝ Ω K ...
  | [\u{1D400}-\u{1D7CB}]                                                      // mathematical alphabets
  ;
