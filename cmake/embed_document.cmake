# Puts an OpenAPI document of proto-docs/openapi into a program: openapi_document(), which HEADER declares in NAMESPACE, returns it.
# source: the variable that receives the name of the source file, for add_library.
function(recruiting_embed_document source document header namespace)
    set(path ${CMAKE_SOURCE_DIR}/proto-docs/openapi/${document})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(READ ${path} TEXT)
    # A raw string literal must not contain its own end mark; JSON has no reason to.
    string(FIND "${TEXT}" ")document\"" end_mark)
    if(NOT end_mark EQUAL -1)
        message(FATAL_ERROR "${path} contains the end mark of the literal it is put into")
    endif()
    set(DOCUMENT_NAME ${document})
    set(HEADER ${header})
    set(NAMESPACE ${namespace})
    set(output ${CMAKE_CURRENT_BINARY_DIR}/openapi_document.cpp)
    configure_file(${CMAKE_SOURCE_DIR}/cmake/embedded_document.cpp.in ${output} @ONLY)
    # ISO C++ makes compilers accept literals of 64 KiB; those that build this project accept longer ones.
    set_source_files_properties(${output} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
    set(${source} ${output} PARENT_SCOPE)
endfunction()
