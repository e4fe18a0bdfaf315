# Writes OUTPUT: the files of the standard library as C++ strings, so that nsmc needs no files at run time.
# Called as a script: cmake -DOUTPUT=... -DFILES=a;b -P embed_library.cmake
set(text "// Generated from models/std.\n#include \"compiler/api/standard_library.hpp\"\n\nnamespace nsmc {\nnamespace {\nconstexpr LibraryFile kFiles[] = {\n")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} content)
  string(APPEND text "    {\"std/${name}\", R\"nsm(${content})nsm\"},\n")
endforeach()
string(APPEND text "};\n}  // namespace\n\nstd::span<const LibraryFile> standard_library() { return kFiles; }\n\n}  // namespace nsmc\n")
file(WRITE ${OUTPUT} "${text}")
