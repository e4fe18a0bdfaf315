# Writes OUTPUT: the bitcode of the fused step (runtime/small/step_fused.cpp) as a C++ array, with a hash of it.
# Called as a script: cmake -DOUTPUT=... -DBITCODE=... -P embed_bitcode.cmake
file(READ ${BITCODE} bytes HEX)
file(SHA256 ${BITCODE} identity)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "// Generated from runtime/small/step_fused.cpp.\n#include \"compiler/codegen/step_bitcode.hpp\"\n\nnamespace nsmc {\nnamespace {\nconstexpr unsigned char kBytes[] = {${bytes}};\n}  // namespace\n\nstd::string_view step_bitcode() { return {reinterpret_cast<const char*>(kBytes), sizeof kBytes}; }\nstd::string_view step_bitcode_identity() { return \"${identity}\"; }\n\n}  // namespace nsmc\n")
