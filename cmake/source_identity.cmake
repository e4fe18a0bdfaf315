# Writes OUTPUT: a C++ function that returns a hash of FILES. Cached machine code is that of exactly these sources, also
# between two releases.
# Called as a script: cmake -DOUTPUT=... -DFILES=a;b -P source_identity.cmake
set(hashes "")
foreach(file IN LISTS FILES)
  file(SHA256 ${file} hash)
  string(APPEND hashes "${hash}\n")
endforeach()
string(SHA256 identity "${hashes}")
file(WRITE ${OUTPUT} "// Generated: a hash of the sources of the code generator.\n#include \"compiler/codegen/kernel_key.hpp\"\n\nnamespace nsmc {\n\nstd::string_view codegen_identity() { return \"${identity}\"; }\n\n}  // namespace nsmc\n")
