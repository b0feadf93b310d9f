# Writes a manual page, section 8, of what a program says with --help.
#   cmake -DPROGRAM=… -DNAME=… -DSUMMARY=… "-DFILES=/etc/…" -DDATE=2026-01-31 -DVERSION=… -DOUTPUT=… -P man_page.cmake
execute_process(COMMAND ${PROGRAM} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\\" "\\e" help "${help}")
string(REPLACE "-" "\\-" help "${help}")
string(REPLACE "\n." "\n\\&." help "${help}")
string(REPLACE "\n'" "\n\\&'" help "${help}")
string(TOUPPER "${NAME}" title)
string(REPLACE "-" "\\-" name "${NAME}")
file(WRITE ${OUTPUT} ".TH ${title} 8 ${DATE} \"recruiting ${VERSION}\" \"Recruiting platform\"
.SH NAME
${name} \\- ${SUMMARY}
.SH DESCRIPTION
.nf
${help}.fi
.SH FILES
.I ${FILES}
")
