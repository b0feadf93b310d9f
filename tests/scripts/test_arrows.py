"""scripts/checks/arrows: includes against the arrows are found, those along them are not."""
import unittest

from support import load_check, project

arrows = load_check("arrows")


def findings(files):
    names = {"libs/core/text.hpp": "", "libs/pg/rows.hpp": "", "libs/auth/scope.hpp": "", "gateway/phases.hpp": "",
             "services/auth_api/http/read.hpp": "", "services/public_api/app.hpp": ""} | files
    with project(names) as root:
        paths = sorted(p.relative_to(root) for p in root.rglob("*.?pp"))
        return [(str(path), line) for path, line, _ in arrows.check(root.resolve(), paths)]


class Arrows(unittest.TestCase):
    def expect_finding(self, path, source):
        self.assertEqual(findings({path: source}), [(path, source.count("\n"))], source)

    def expect_none(self, path, source):
        self.assertEqual(findings({path: source}), [], source)

    def test_downward_is_allowed(self):
        self.expect_none("libs/pg/client.cpp", '#include "core/text.hpp"\n')
        self.expect_none("services/auth_api/resources/me.cpp", '#include "auth/scope.hpp"\n#include "../http/read.hpp"\n')
        self.expect_none("services/auth_api/resources/me.cpp", '#include "auth_api/http/read.hpp"\n')
        self.expect_none("gateway/app.cpp", '#include "phases.hpp"\n#include "core/text.hpp"\n')

    def test_upward_is_not(self):
        self.expect_finding("libs/core/log.cpp", '#include "pg/rows.hpp"\n')
        self.expect_finding("libs/pg/client.cpp", '#include "auth/scope.hpp"\n')

    def test_beside_is_not(self):
        self.expect_finding("libs/redis/client.cpp", '#include "pg/rows.hpp"\n')
        self.expect_finding("libs/audit/event.cpp", '#include "auth/scope.hpp"\n')

    def test_the_gateway_sees_no_database_and_no_keys(self):
        self.expect_finding("gateway/app.cpp", '#include "pg/rows.hpp"\n')
        self.expect_finding("gateway/app.cpp", '#include "auth/scope.hpp"\n')

    def test_services_do_not_see_each_other(self):
        self.expect_finding("services/auth_api/main.cpp", '#include "services/public_api/app.hpp"\n')
        self.expect_finding("services/auth_api/main.cpp", '#include "public_api/app.hpp"\n')
        self.expect_finding("services/auth_api/main.cpp", '#include "../../gateway/phases.hpp"\n')

    def test_c_libraries_stay_in_their_wrappers(self):
        self.expect_finding("services/auth_api/main.cpp", "#include <libpq-fe.h>\n")
        self.expect_finding("libs/http/client.cpp", "#include <hiredis/hiredis.h>\n")
        self.expect_finding("services/auth_api/main.cpp", "#include <curl/curl.h>\n")
        self.expect_finding("services/public_api/main.cpp", "#include <unicode/locid.h>\n")
        self.expect_none("libs/words/format.cpp", "#include <unicode/locid.h>\n")
        self.expect_finding("gateway/app.cpp", "#include <openssl/ssl.h>\n")
        self.expect_none("gateway/tls.cpp", "#include <openssl/ssl.h>\n")
        self.expect_none("libs/crypto/digest.cpp", "#include <openssl/evp.h>\n")
        self.expect_none("libs/pg/connection.cpp", "#include <libpq-fe.h>\n")

    def test_a_library_without_a_layer_is_found(self):
        self.assertTrue(findings({"libs/new/x.cpp": '#include "core/text.hpp"\n'}))

    def test_a_circle_is_found(self):
        self.assertTrue(findings({"gateway/a.hpp": '#include "b.hpp"\n', "gateway/b.cpp": '#include "a.hpp"\n', "gateway/b.hpp": ""}))

    def test_a_circle_of_folders_is_found(self):
        files = {"services/auth_api/a/x.hpp": '#include "auth_api/b/y.hpp"\n', "services/auth_api/a/z.hpp": "",
                 "services/auth_api/b/y.hpp": '#include "auth_api/a/z.hpp"\n'}
        self.assertTrue(findings(files))
        self.assertFalse(findings({**files, "services/auth_api/b/y.hpp": ""}))
        # A program's own files are the ends of its chain.
        self.assertFalse(findings({"gateway/app.hpp": '#include "gateway/a/x.hpp"\n', "gateway/base.hpp": "",
                                   "gateway/a/x.hpp": '#include "gateway/base.hpp"\n'}))


if __name__ == "__main__":
    unittest.main()
