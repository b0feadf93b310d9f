# Texts are data that translators edit: a folder with one JSON file per language (en.json, …), in each the same names, of texts,
# lists of texts and groups of them. recruiting_texts makes the header TYPE_table.hpp of them, which TARGET finds: struct TYPE
# with a member per name (a group's is a struct GROUP_words) and TYPE_table, an entry per language, English first.
# A name that a language lacks, or has alone, ends the configuration.

# Reads OBJECT. Sets in the caller: read_members, read_values, read_groups (C++), read_names.
function(recruiting_read_texts object prefix)
    set(members "")
    set(values "")
    set(groups "")
    set(names "")
    string(JSON count LENGTH "${object}")
    math(EXPR last "${count} - 1")
    foreach(index RANGE ${last})
        string(JSON key MEMBER "${object}" ${index})
        string(JSON value GET "${object}" ${key})
        string(JSON kind TYPE "${object}" ${key})
        if(kind STREQUAL "OBJECT")
            recruiting_read_texts("${value}" ${prefix}${key}.)
            string(APPEND groups "${read_groups}struct ${key}_words {\n${read_members}};\n")
            string(APPEND members "    ${key}_words ${key};\n")
            string(APPEND values ".${key} = {\n${read_values}},\n")
            list(APPEND names ${read_names})
            continue()
        endif()
        set(type std::string_view)
        set(texts "R\"text(${value})text\"")
        set(size "")
        if(kind STREQUAL "ARRAY")
            string(JSON size LENGTH "${value}")
            set(type "std::array<std::string_view, ${size}>")
            set(texts "")
            math(EXPR end "${size} - 1")
            foreach(place RANGE ${end})
                string(JSON text GET "${value}" ${place})
                string(APPEND texts "R\"text(${text})text\", ")
            endforeach()
        endif()
        string(APPEND members "    ${type} ${key};\n")
        string(APPEND values ".${key} = {${texts}},\n")
        list(APPEND names ${prefix}${key}${size})
    endforeach()
    foreach(part IN ITEMS members values groups names)
        set(read_${part} "${${part}}" PARENT_SCOPE)
    endforeach()
endfunction()

# The arguments behind NAMESPACE are groups whose texts also have a table GROUP_words_names, for finding one by its name.
function(recruiting_texts target folder type namespace)
    file(GLOB files CONFIGURE_DEPENDS ${folder}/*.json)
    list(REMOVE_ITEM files ${folder}/en.json)
    list(PREPEND files ${folder}/en.json)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
    set(rows "")
    foreach(file IN LISTS files)
        file(READ ${file} object)
        recruiting_read_texts("${object}" "")
        if(rows STREQUAL "")
            set(english ${read_names})
        endif()
        set(differing ${english} ${read_names})
        foreach(name IN LISTS english)
            if(name IN_LIST read_names)
                list(REMOVE_ITEM differing ${name})
            endif()
        endforeach()
        if(differing)
            message(FATAL_ERROR "${file} and en.json differ in the names ${differing}")
        endif()
        cmake_path(GET file STEM language)
        string(APPEND rows "{\n.language = \"${language}\",\n${read_values}},\n")
    endforeach()
    list(LENGTH files count)
    set(tables "")
    foreach(group IN LISTS ARGN)
        set(rows_of_names "")
        foreach(name IN LISTS english)
            if(name MATCHES "^${group}\\.(.*)")
                string(APPEND rows_of_names "    {\"${CMAKE_MATCH_1}\", &${group}_words::${CMAKE_MATCH_1}},\n")
            endif()
        endforeach()
        string(APPEND tables "struct named_${group}_word {\n    std::string_view name;\n    std::string_view ${group}_words::*text;\n};
inline constexpr named_${group}_word ${group}_words_names[] = {\n${rows_of_names}};\n")
    endforeach()
    set(output ${CMAKE_CURRENT_BINARY_DIR}/texts/${type}_table.hpp)
    file(WRITE ${output}.new "// Made by cmake/texts.cmake from the files of ${folder}.
#pragma once
#include <array>
#include <string_view>

namespace ${namespace} {

${read_groups}struct ${type} {\n    std::string_view language; // as in <html lang>\n${read_members}};
inline constexpr std::array<${type}, ${count}> ${type}_table = {{\n${rows}}};
${tables}
} // namespace ${namespace}
")
    file(COPY_FILE ${output}.new ${output} ONLY_IF_DIFFERENT)
    target_include_directories(${target} PUBLIC ${CMAKE_CURRENT_BINARY_DIR}/texts)
endfunction()
