# shellcheck shell=bash
# The commit that this tree is, for what is built from it. Sourced after lib/common.sh.

# git archive fills it in (.gitattributes), so that an archive names its commit too: hash, time, tag.
# shellcheck disable=SC2016  # no shell's
exported='$Format:%H %ct %(describe:tags=true,match=v*)$'

# In commit: 12 digits, with +dirty if files differ from it; "unknown". In commit_time: seconds since 1970. In commit_tag: its
# version, such as v1.0.0; empty: it has none.
source_commit() {
    # A tree of another user, as root builds it, is no trap here: the build runs its files anyway.
    local in_tree=(git -c "safe.directory=$root" -C "$root" --no-optional-locks)
    commit=unknown commit_time=0 commit_tag=''
    if [ -e "$root/.git" ]; then
        local head
        head=$("${in_tree[@]}" log -1 --format='%H %ct' 2>/dev/null) || return 0 # there is no git
        read -r commit commit_time <<<"$head"
        commit_tag=$("${in_tree[@]}" describe --tags --exact-match --match 'v*' 2>/dev/null) || commit_tag=''
        commit=${commit:0:12}
        [ -z "$("${in_tree[@]}" status --porcelain --untracked-files=no)" ] || commit+=+dirty
    elif [[ $exported != '$'* ]]; then
        read -r commit commit_time commit_tag <<<"$exported"
        commit=${commit:0:12}
    fi
}
