# Flags every target shares: warnings are errors, hardening, sanitizers, a fast linker and ccache where present.
add_library(project_warnings INTERFACE)
target_compile_options(project_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
    -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast -Wnull-dereference -Wformat=2 -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ warns about its own inlining of the standard library and of coroutine frames; no source here can mend it.
    target_compile_options(project_warnings INTERFACE -Wno-null-dereference -Wno-maybe-uninitialized
        -Wno-stringop-overflow -Wno-array-bounds -Wno-restrict -Wno-mismatched-new-delete
        -Wno-subobject-linkage) # in a unity build it takes each anonymous namespace for a header's
endif()

add_compile_options(-fno-plt -fstack-protector-strong)
if(CMAKE_BUILD_TYPE STREQUAL "Release")
    add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
    add_link_options(-Wl,-z,relro,-z,now)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# A program names only the libraries it uses: the gateway no libsodium.
add_link_options(-Wl,--as-needed)

if(RECRUITING_SANITIZE)
    add_compile_options(-fsanitize=${RECRUITING_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${RECRUITING_SANITIZE})
    if(RECRUITING_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # Thread sanitizer does not know fences; Asio's are only there for work handed between threads of one context.
        add_compile_options(-Wno-tsan)
    endif()
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Paths below the checkout are hashed as relative ones, so that a second clone finds what the first compiled.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${CCACHE})
endif()
find_program(MOLD mold)
if(MOLD)
    add_link_options(-fuse-ld=mold)
endif()

# Headers are named with their folder ("core/text.hpp"). An include directory in the build tree holds one link, to this
# folder: who does not link the target does not find its headers.
function(recruiting_headers target folder)
    cmake_path(GET folder FILENAME name)
    set(root ${CMAKE_BINARY_DIR}/include/${name})
    file(MAKE_DIRECTORY ${root})
    file(CREATE_LINK ${folder} ${root}/${name} SYMBOLIC)
    target_include_directories(${target} PUBLIC ${root})
endfunction()

# A folder's files are compiled as one unit, at most twelve together: headers are what a small file costs. Files of one unit
# share their unnamed namespaces. The preset "dev" compiles file by file, so that every file includes what it uses.
option(RECRUITING_UNITY "Compile the files of a folder together" ON)
function(recruiting_unity target)
    if(NOT RECRUITING_UNITY)
        return()
    endif()
    get_target_property(sources ${target} SOURCES)
    foreach(source IN LISTS sources)
        cmake_path(GET source PARENT_PATH folder)
        string(MAKE_C_IDENTIFIER "${folder}" group)
        math(EXPR count_${group} "${count_${group}} + 1") # an unset one counts as nothing
        math(EXPR part "(${count_${group}} - 1) / 12")
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${part})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
