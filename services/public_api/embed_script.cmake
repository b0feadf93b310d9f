# cmake -DFILES=…,… -DNAME=… -DOUTPUT=… -P embed_script.cmake: scripts or style sheets, joined, as NAME() in a C++ source.
# Modules are written so that this is all a bundler would do: an import is one line and takes names as they are, an
# export is a word before a declaration, no two modules have one name at their top, and a line that begins with a
# comment mark is a comment.
string(REPLACE "," ";" files "${FILES}")
set(text "\n")
foreach(file IN LISTS files)
    file(READ ${file} read)
    string(APPEND text "${read}\n")
endforeach()
if(FILES MATCHES "css$")
    string(REGEX REPLACE "/[*]([^*]|[*][^/])*[*]/" "" text "${text}")
else()
    string(REGEX REPLACE "\nimport [^\n]*" "" text "${text}")
    string(REGEX REPLACE "\nexport " "\n" text "${text}")
    string(REGEX REPLACE "\n *(//|/?[*])[^\n]*" "" text "${text}")
endif()
string(REGEX REPLACE "\n[\n ]+" "\n" text "${text}")
string(SUBSTRING "${text}" 1 -1 text)
string(FIND "${text}" ")embedded\"" end_mark)
if(NOT end_mark EQUAL -1)
    message(FATAL_ERROR "${FILES} hold the end mark of the literal they are put into")
endif()
file(WRITE ${OUTPUT} "#include \"public_api/pages/assets.hpp\"

namespace recruiting::public_api {

std::string_view ${NAME}() noexcept {
    static constexpr std::string_view text = R\"embedded(${text})embedded\";
    return text;
}

} // namespace recruiting::public_api
")
