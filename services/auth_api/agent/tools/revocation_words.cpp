#include "auth_api/agent/tools/revocation_words.hpp"

#include "auth_api/agent/tools/word_edges.hpp"

#include <algorithm>
#include <array>

namespace recruiting::auth_api::agent {
namespace {

constexpr std::string_view revoking_words =
    "|revoke|widerrufe|widerruf|widerrufen|révoque|révoquez|révoquer|revoque|revoquez|revoquer|revoca|revocar|revocare|"
    "revoga|revogar|revogue|отзови|отзовите|отозвать|återkalla|tilbagekald|unieważnij|unieważnić|撤销|撤銷|吊销|吊銷|"
    "失効|폐기|철회|";
constexpr std::string_view removing_words =
    "|delete|remove|disable|deactivate|invalidate|cancel|kill|rotate|retire|block|terminate|destroy|suspend|withdraw|"
    "lösche|löschen|loesche|loeschen|sperre|sperren|deaktiviere|deaktivieren|entziehe|entziehen|entferne|entfernen|"
    "supprime|supprimez|supprimer|désactive|désactivez|désactiver|annule|annulez|annuler|elimina|eliminar|borra|borrar|"
    "desactiva|desactivar|anula|anular|elimine|cancela|cancelar|apaga|apagar|desativa|desativar|annulla|disattiva|"
    "rimuovi|verwijder|blokkeer|usuń|odwołaj|удали|удалите|удалить|отключи|отключите|radera|slet|iptal|"
    "احذف|ألغ|取り消して|取り消す|取り消し|取消|無効|無効化|削除|破棄|删除|刪除|作废|停用|禁用|注销|취소|해지|삭제|"
    "비활성화|";
constexpr std::string_view key_nouns =
    "|key|token|credential|secret|api|api-key|apikey|schlüssel|api-schlüssel|schluessel|api-token|clé|cle|jeton|llave|"
    "clave|chiave|chave|sleutel|api-sleutel|klucz|ключ|токен|nyckel|nøgle|anahtar|مفتاح|المفتاح|キー|鍵|密钥|密鑰|金鑰|"
    "トークン|키|열쇠|토큰|";
constexpr std::string_view fillers =
    "|the|a|my|our|this|that|named|called|name|please|now|immediately|thanks|thank|you|hello|hi|hey|also|just|today|"
    "den|die|das|der|mein|meinen|unseren|namens|bitte|sofort|jetzt|danke|le|la|l|ma|mon|notre|nommée|appelée|"
    "maintenant|merci|s|il|te|vous|plaît|plait|s'il-te-plaît|el|mi|nuestra|llamada|ahora|por|favor|gracias|"
    "lo|mia|il|chiamata|subito|grazie|favore|o|a|minha|nossa|chamada|agora|obrigado|de|mijn|onze|alsjeblieft|nu|"
    "min|пожалуйста|мой|наш|сейчас|を|の|して|してください|ください|という|名前|请|請|把|的|名为|我的|这个|一下|谢谢|"
    "를|을|해|해줘|주세요|해주세요|줘|";
constexpr std::string_view denying_words =
    "|not|don|dont|doesn|didn|won|wouldn|shouldn|mustn|isn|cannot|never|no|none|nothing|neither|nor|without|avoid|keep|"
    "except|instead|stop|who|whom|whose|which|when|why|how|what|where|whether|should|might|may|shall|if|unless|until|"
    "once|before|after|said|says|say|told|asked|asks|wants|wanted|decided|planned|plans|tried|refused|forgot|claims|"
    "reads|wrote|write|draft|summarize|summarise|translate|explain|describe|repeat|quote|rewrite|example|suppose|"
    "pretend|imagine|nicht|kein|keine|keinen|nie|niemals|ohne|wer|wen|welche|welcher|welchen|welches|wann|warum|wieso|"
    "wie|wo|ob|wenn|falls|soll|sollen|sollte|sollten|sagt|sagte|steht|bevor|ne|n|pas|jamais|aucun|sans|qui|quel|quelle|"
    "quand|pourquoi|comment|si|avant|nunca|quién|quien|cuál|cuándo|cómo|qué|nadie|ningún|sin|antes|non|mai|chi|quale|"
    "quando|perché|come|se|senza|não|nao|quem|qual|sem|niet|geen|nooit|als|wie|welke|waarom|nie|kto|kiedy|jeśli|не|"
    "нет|никогда|кто|когда|почему|если|inte|ikke|aldrig|aldrig|vem|hvem|لا|لم|";
constexpr std::string_view opening_words =
    "|is|are|was|were|has|have|had|did|do|does|am|hat|hatte|haben|wurde|wurden|ist|sind|war|a|est|ont|ha|han|fue|foi|è|"
    "czy|ли|";
constexpr std::array courtesies = std::to_array<std::string_view>({
    "i want you to ",   "i need you to ", "i would like you to ", "i'd like you to ", "i want to ",   "i need to ",
    "i would like to ", "can you ",       "could you ",           "would you ",       "will you ",    "kannst du ",
    "könntest du ",     "können sie ",    "könnten sie ",         "peux-tu ",         "pouvez-vous ", "pourriez-vous ",
    "puedes ",          "podrías ",
});

bool holds(std::string_view table, std::string_view word) {
    std::string entry = "|";
    entry.append(word).append("|");
    return table.find(entry) != std::string_view::npos;
}

// The longest known word that a text without spaces begins with; all of it if there is none.
std::string_view first_known(std::string_view run) {
    for (auto size = run.size(); size > 0; --size)
        if (role_of(run.substr(0, size))) return run.substr(0, size);
    return run;
}

// From this position on: where characters of its kind end, spaced words and others apart.
std::size_t end_of_run(std::string_view text, std::size_t from) {
    bool const spaced = kind_of(character_at(text, from).value) == character_kind::alphabetic;
    auto at = from;
    while (at < text.size()) {
        auto const next = character_at(text, at);
        auto const kind = kind_of(next.value);
        if (kind == character_kind::none || (kind == character_kind::alphabetic) != spaced) break;
        at += next.size;
    }
    return at;
}

void add_run(std::vector<std::string>& words, std::string_view run) {
    if (kind_of(character_at(run, 0).value) == character_kind::alphabetic) {
        while (run.ends_with('.')) run.remove_suffix(1);
        if (!run.empty()) words.emplace_back(run);
        return;
    }
    while (!run.empty()) {
        auto const word = first_known(run);
        words.emplace_back(word);
        run.remove_prefix(word.size());
    }
}

} // namespace

std::vector<std::string> words_of(std::string_view text) {
    auto const folded = fold_case(text);
    std::vector<std::string> words;
    for (std::size_t at = 0; at < folded.size();) {
        auto const one = character_at(folded, at);
        if (kind_of(one.value) == character_kind::none) {
            at += one.size;
            continue;
        }
        auto const end = end_of_run(folded, at);
        add_run(words, std::string_view(folded).substr(at, end - at));
        at = end;
    }
    return words;
}

std::optional<word_role> role_of(std::string_view word) {
    if (holds(revoking_words, word)) return word_role::revoking;
    if (holds(removing_words, word)) return word_role::removing;
    if (holds(key_nouns, word)) return word_role::key_noun;
    if (holds(fillers, word)) return word_role::filler;
    return std::nullopt;
}

bool denies(std::string_view word) { return holds(denying_words, word); }
bool opens_question(std::string_view word) { return holds(opening_words, word); }

bool take_courtesy(std::string& text) {
    bool found = false;
    for (auto const courtesy : courtesies) {
        auto const at = text.find(courtesy);
        if (at == std::string::npos || (at > 0 && text[at - 1] != ' ')) continue;
        text.erase(at, courtesy.size());
        found = true;
    }
    return found;
}

} // namespace recruiting::auth_api::agent
