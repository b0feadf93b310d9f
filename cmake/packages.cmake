# One Debian package per program (CPack), built by scripts/packages: installed files and descriptions.
include(GNUInstallDirs)
set(RECRUITING_PACKAGE_VERSION "${PROJECT_VERSION}" CACHE STRING "The packages' version, such as 0.1.0~deb12")
set(RECRUITING_PACKAGE_MAINTAINER "Recruiting platform maintainers <maintainers@recruiting.example>" CACHE STRING
    "Maintainer that the packages name")
set(RECRUITING_PACKAGE_RELEASE bookworm CACHE STRING "The Debian release they are for: bookworm or trixie")
set(RECRUITING_PACKAGE_DATE "Thu, 01 Jan 1970 00:00:00 +0000" CACHE STRING "When they were made (RFC 5322): the commit's time")
set(RECRUITING_PACKAGE_DOCS "" CACHE PATH "The built documentation site, for recruiting-public-api; empty: none")
set(RECRUITING_PACKAGE_CONSOLE "" CACHE PATH "The console's built pages, for recruiting-auth-api; empty: none")

set(package_source ${CMAKE_SOURCE_DIR}/deploy)
set(package_build ${CMAKE_BINARY_DIR}/package)
set(package_scripts ${CMAKE_SOURCE_DIR}/cmake/package)
# Debian 13's packages put units below /usr; on 12 systemd and its tools look for packaged ones in /lib.
if(RECRUITING_PACKAGE_RELEASE STREQUAL "bookworm")
    set(unit_directory /lib/systemd/system)
    set(zones "tzdata")
else()
    set(unit_directory /usr/lib/systemd/system)
    set(zones "tzdata, tzdata-legacy")
endif()
string(REGEX REPLACE "^[A-Za-z]*, ([0-9]*) ([A-Za-z]*) ([0-9]*) .*" "\\1 \\2 \\3" package_day "${RECRUITING_PACKAGE_DATE}")

file(READ ${package_source}/systemd/sandbox.conf SANDBOX)
file(READ ${package_source}/debian/secrets.sh MAKE_SECRETS)
file(READ ${package_source}/debian/forget_secrets.sh FORGET_SECRETS)
string(STRIP "${SANDBOX}" SANDBOX)

# Copies a template to OUTPUT with its @NAME@s filled in.
function(fill template output)
    configure_file(${template} ${output} @ONLY NEWLINE_STYLE LF)
endfunction()

function(described target summary files)
    set(page ${package_build}/${target}.8)
    add_custom_command(OUTPUT ${page}.gz
        COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${target}> -DNAME=${target} -DSUMMARY=${summary}
            -DFILES=${files} -DDATE=${package_day} -DVERSION=${RECRUITING_PACKAGE_VERSION} -DOUTPUT=${page}
            -P ${package_scripts}/man_page.cmake
        COMMAND gzip -9nf ${page}
        DEPENDS ${target} ${package_scripts}/man_page.cmake VERBATIM)
    set_property(TARGET package_files_${target} APPEND PROPERTY SOURCES ${page}.gz)
    install(FILES ${page}.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man8 COMPONENT ${target} EXCLUDE_FROM_ALL)
endfunction()

# What every package holds: the program, its configuration, its manual, its documents.
function(recruiting_package target summary)
    cmake_parse_arguments(arg "" "CONF" "VALUES;GIVEN;SECRETS;DEPENDS" ${ARGN})
    string(JOIN "|" values ${arg_VALUES})
    string(JOIN "|" given ${arg_GIVEN})
    set(conf ${package_build}/${arg_CONF})
    add_custom_command(OUTPUT ${conf}
        COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${target}> -DOUTPUT=${conf} "-DVALUES=${values}" "-DGIVEN=${given}"
            -P ${package_scripts}/config_file.cmake
        DEPENDS ${target} ${package_scripts}/config_file.cmake VERBATIM)
    add_custom_target(package_files_${target} DEPENDS ${conf})
    add_dependencies(package_files package_files_${target})
    described(${target} "${summary}" /etc/recruiting/${arg_CONF})

    set(PROGRAM ${target})
    set(SUMMARY "${summary}")
    set(CONF /etc/recruiting/${arg_CONF})
    string(JOIN " " SECRETS ${arg_SECRETS})
    set(control ${package_build}/${target})
    file(WRITE ${control}/conffiles "${CONF}\n")
    file(WRITE ${control}/changelog "recruiting (${RECRUITING_PACKAGE_VERSION}) ${RECRUITING_PACKAGE_RELEASE}; urgency=medium\n\n"
        "  * For the changes, see CHANGELOG.md of the sources.\n\n -- ${RECRUITING_PACKAGE_MAINTAINER}  ${RECRUITING_PACKAGE_DATE}\n")
    execute_process(COMMAND gzip -9nf ${control}/changelog COMMAND_ERROR_IS_FATAL ANY)
    set(control_files ${control}/conffiles)
    set(kind service)
    if(target STREQUAL "recruitctl")
        set(kind recruitctl)
    endif()
    foreach(script postinst prerm postrm)
        if(EXISTS ${package_source}/debian/${kind}.${script}.in)
            fill(${package_source}/debian/${kind}.${script}.in ${control}/${script})
            file(CHMOD ${control}/${script} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
            list(APPEND control_files ${control}/${script})
        endif()
    endforeach()

    install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${target})
    install(FILES ${conf} DESTINATION /etc/recruiting COMPONENT ${target} EXCLUDE_FROM_ALL)
    install(FILES ${package_source}/debian/copyright ${control}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${target}
        COMPONENT ${target} EXCLUDE_FROM_ALL)

    string(TOUPPER ${target} key)
    file(READ ${package_source}/debian/${target}.description description)
    set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${target} PARENT_SCOPE)
    set(CPACK_DEBIAN_${key}_PACKAGE_CONTROL_EXTRA "${control_files}" PARENT_SCOPE)
    set(CPACK_DEBIAN_${key}_PACKAGE_DEPENDS "${arg_DEPENDS}" PARENT_SCOPE)
    set(CPACK_DEBIAN_${key}_PACKAGE_SECTION "net" PARENT_SCOPE)
    set(CPACK_DEBIAN_${key}_DESCRIPTION "${summary}\n${description}" PARENT_SCOPE)
endfunction()

# What a service has besides: its unit, and the command that replaces it while it runs.
function(recruiting_service target conf)
    set(PROGRAM ${target})
    set(CONF /etc/recruiting/${conf})
    file(READ ${package_source}/systemd/process.conf PROCESS)
    string(CONFIGURE "${PROCESS}" PROCESS @ONLY)
    string(STRIP "${PROCESS}" PROCESS)
    fill(${package_source}/systemd/${target}.service.in ${package_build}/${target}.service)
    fill(${package_source}/debian/handover.in ${package_build}/${target}-handover)
    install(FILES ${package_build}/${target}.service DESTINATION ${unit_directory} COMPONENT ${target} EXCLUDE_FROM_ALL)
    install(PROGRAMS ${package_build}/${target}-handover DESTINATION ${CMAKE_INSTALL_SBINDIR} COMPONENT ${target} EXCLUDE_FROM_ALL)
    fill(${package_source}/debian/handover.8.in ${package_build}/${target}-handover.8)
    execute_process(COMMAND gzip -9nf ${package_build}/${target}-handover.8 COMMAND_ERROR_IS_FATAL ANY)
    install(FILES ${package_build}/${target}-handover.8.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man8 COMPONENT ${target} EXCLUDE_FROM_ALL)
endfunction()

add_custom_target(package_files)
set(public_api_values RECRUITING_PUBLIC_API_DATABASE_URL=postgresql://recruiting_public@127.0.0.1:5432/recruiting)
if(RECRUITING_PACKAGE_DOCS)
    list(APPEND public_api_values RECRUITING_PUBLIC_API_DOCS=/usr/share/recruiting/docs)
    install(DIRECTORY ${RECRUITING_PACKAGE_DOCS}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/recruiting/docs
        COMPONENT recruiting-public-api EXCLUDE_FROM_ALL
        PATTERN "*.sh" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endif()
set(auth_api_values RECRUITING_ENVIRONMENT=live)
if(RECRUITING_PACKAGE_CONSOLE)
    list(APPEND auth_api_values RECRUITING_AUTH_API_CONSOLE=/usr/share/recruiting/console)
    install(DIRECTORY ${RECRUITING_PACKAGE_CONSOLE}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/recruiting/console
        COMPONENT recruiting-auth-api EXCLUDE_FROM_ALL)
endif()
set(pepper_file RECRUITING_KEY_PEPPER_FILE=/etc/recruiting/secrets/key-pepper)
set(cursor_secret_file RECRUITING_CURSOR_SECRET_FILE=/etc/recruiting/secrets/cursor-secret)
recruiting_package(recruiting-gateway "gateway of the recruiting platform" CONF gateway.conf
    DEPENDS "adduser, ca-certificates")
recruiting_package(recruiting-auth-api "authenticated API of the recruiting platform" CONF auth-api.conf
    VALUES ${auth_api_values} GIVEN ${pepper_file} ${cursor_secret_file}
    SECRETS key-pepper cursor-secret DEPENDS "adduser, ca-certificates, ${zones}")
recruiting_package(recruiting-public-api "public API and careers pages of the recruiting platform" CONF public-api.conf
    VALUES ${public_api_values}
    GIVEN ${cursor_secret_file} SECRETS cursor-secret DEPENDS "adduser, ca-certificates, ${zones}")
recruiting_package(recruitctl "operators' tool of the recruiting platform" CONF recruitctl.conf
    VALUES RECRUITING_ENVIRONMENT=live RECRUITING_DATABASE_URL=postgresql://recruiting_owner@127.0.0.1:5432/recruiting
    ${pepper_file}
    SECRETS key-pepper DEPENDS "ca-certificates, ${zones}")
recruiting_service(recruiting-gateway gateway.conf)
recruiting_service(recruiting-auth-api auth-api.conf)
recruiting_service(recruiting-public-api public-api.conf)
# What operators of hosts need beside it, who have no source tree: doctor and operations.md name these folders.
install(DIRECTORY ${package_source}/migrations ${package_source}/postgresql ${package_source}/prometheus ${package_source}/grafana
    DESTINATION ${CMAKE_INSTALL_DATADIR}/recruiting COMPONENT recruitctl PATTERN tests EXCLUDE)

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL recruiting-gateway recruiting-auth-api recruiting-public-api recruitctl)
set(CPACK_PACKAGE_NAME recruiting)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_DEBIAN_PACKAGE_VERSION ${RECRUITING_PACKAGE_VERSION})
set(CPACK_DEBIAN_PACKAGE_SOURCE recruiting)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${RECRUITING_PACKAGE_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_SET_DESTDIR ON) # /etc and the units are outside the prefix
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
include(CPack)
