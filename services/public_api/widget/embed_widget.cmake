# cmake -DFOLDER=… -DFILES=…,… -DOUTPUT=… -P embed_widget.cmake: the widget's modules as one classic script, in a C++ source.
# The modules are written so that this is all a bundler would do: an import is one line and takes names as they are, an
# export is a word before a declaration, no two modules have one name at their top, and a line that begins with a
# comment mark is a comment.
string(REPLACE "," ";" files "${FILES}")
set(script "\n")
foreach(file IN LISTS files)
    file(READ ${FOLDER}/${file} text)
    string(APPEND script "${text}\n")
endforeach()
string(REGEX REPLACE "\nimport [^\n]*" "" script "${script}")
string(REGEX REPLACE "\nexport " "\n" script "${script}")
string(REGEX REPLACE "\n *(//|/?[*])[^\n]*" "" script "${script}")
string(REGEX REPLACE "\n[\n ]+" "\n" script "${script}")
string(FIND "${script}" ")widget\"" end_mark)
if(NOT end_mark EQUAL -1)
    message(FATAL_ERROR "the widget holds the end mark of the literal it is put into")
endif()
file(WRITE ${OUTPUT} "#include \"public_api/pages/assets.hpp\"

namespace recruiting::public_api {

std::string_view widget_script() noexcept {
    static constexpr std::string_view text = R\"widget('use strict';
(() => {${script}})();
)widget\";
    return text;
}

} // namespace recruiting::public_api
")
