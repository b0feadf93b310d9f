#include "support/tls_certificates.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdexcept>

namespace recruiting::test {
namespace {

template <auto Free>
struct free_with {
    void operator()(auto* what) const noexcept { Free(what); }
};
using key_ptr = std::unique_ptr<EVP_PKEY, free_with<EVP_PKEY_free>>;
using certificate_ptr = std::unique_ptr<X509, free_with<X509_free>>;
using file_ptr = std::unique_ptr<std::FILE, free_with<std::fclose>>;

void must(bool good) {
    if (!good) throw std::runtime_error("can't make a certificate");
}

void add_extension(X509* to, int which, std::string const& value) {
    std::unique_ptr<X509_EXTENSION, free_with<X509_EXTENSION_free>> const made(
        X509V3_EXT_conf_nid(nullptr, nullptr, which, value.c_str()));
    must(made && X509_add_ext(to, made.get(), -1) == 1);
}

certificate_ptr make_certificate(EVP_PKEY* key, std::string const& name, X509* issuer, std::chrono::seconds valid_for) {
    static long serial = 0;
    certificate_ptr made(X509_new());
    must(made && X509_set_version(made.get(), 2) == 1 && X509_set_pubkey(made.get(), key) == 1);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), ++serial);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), -60 + std::min(valid_for.count(), std::chrono::seconds::rep{0}));
    X509_gmtime_adj(X509_getm_notAfter(made.get()), valid_for.count());
    auto* const subject = X509_get_subject_name(made.get());
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, reinterpret_cast<unsigned char const*>(name.c_str()), -1,
                               -1, 0);
    X509_set_issuer_name(made.get(), issuer == nullptr ? subject : X509_get_subject_name(issuer));
    add_extension(made.get(), NID_basic_constraints, issuer == nullptr ? "critical,CA:TRUE" : "CA:FALSE");
    return made;
}

void write_certificate(std::string const& path, X509* certificate) {
    file_ptr const file(std::fopen(path.c_str(), "w"));
    must(file && PEM_write_X509(file.get(), certificate) == 1);
}

void write_key(std::string const& path, EVP_PKEY* key) {
    file_ptr const file(std::fopen(path.c_str(), "w"));
    must(file && PEM_write_PrivateKey(file.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1);
}

} // namespace

struct certificate_authority::identity {
    key_ptr key{EVP_EC_gen("P-256")};
    certificate_ptr certificate{make_certificate(key.get(), "Test authority", nullptr, std::chrono::hours{24})};
};

certificate_authority::certificate_authority() : self_(std::make_unique<identity>()) {
    auto pattern = (std::filesystem::temp_directory_path() / "recruiting-tls-XXXXXX").string();
    must(::mkdtemp(pattern.data()) != nullptr);
    directory_ = pattern;
    must(X509_sign(self_->certificate.get(), self_->key.get(), EVP_sha256()) != 0);
    write_certificate(file(), self_->certificate.get());
}

certificate_authority::~certificate_authority() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
}

tls_files certificate_authority::issue(std::string const& name, std::vector<std::string> const& alternatives,
                                       std::chrono::seconds valid_for) {
    key_ptr const key(EVP_EC_gen("P-256"));
    auto const made = make_certificate(key.get(), name, self_->certificate.get(), valid_for);
    std::string names;
    for (auto const& one : alternatives) names += (names.empty() ? "" : ",") + one;
    if (!names.empty()) add_extension(made.get(), NID_subject_alt_name, names);
    must(X509_sign(made.get(), self_->key.get(), EVP_sha256()) != 0);
    tls_files files{path(name + ".pem"), path(name + ".key")};
    write_certificate(files.certificates, made.get());
    write_key(files.key, key.get());
    return files;
}

void certificate_authority::write(std::string const& name, std::string_view content) const {
    std::ofstream(path(name), std::ios::binary) << content;
}

} // namespace recruiting::test
