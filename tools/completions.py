"""Completion files for bash, zsh and fish, as text, from the commands of command_help.py.

Where an option takes one of a few words they are offered; any other value completes as a file.
"""
BASH = """# bash completion for flymc; made from its --help by tools/command_files.py
_flymc() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command= word words=
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    if [[ $word != -* ]]; then
      command=$word
      break
    fi
  done
  COMPREPLY=()
  case "$command $prev" in
{values}
  esac
  if [[ -z $words ]]; then
    case "$command" in
{options}
    esac
    [[ -z $command || $cur == -* ]] || return 0
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}}
complete -o default -F _flymc flymc
"""

ZSH = """#compdef flymc
# zsh completion for flymc; made from its --help by tools/command_files.py
_flymc() {{
  local context state state_descr line
  typeset -A opt_args
  _arguments -C {root} '1:command:->command' '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
{commands}
      )
      _describe command commands
      ;;
    argument)
      case $words[1] in
{options}
      esac
      ;;
  esac
}}
if [[ $funcstack[1] == _flymc ]]; then
  _flymc "$@"
else
  compdef _flymc flymc
fi
"""


def bash(root, commands):
    names = [name for command in [root] for option in command.options for name in option.names]
    options = [f"      '') words='{' '.join([c.name for c in commands] + names)}' ;;"]
    values = []
    for command in commands:
        listed = [name for option in command.options for name in option.names]
        options.append(f"      {command.name}) words='{' '.join(listed)}' ;;")
        plain = []
        for option in command.options:
            patterns = [f"'{command.name} {name}'" for name in option.names]
            if option.choices:
                values.append(f"    {' | '.join(patterns)}) words='{' '.join(option.choices)}' ;;")
            elif option.value:
                plain += patterns
        if plain:
            values.append(f"    {' | '.join(plain)}) return 0 ;;")
    return BASH.format(values="\n".join(values), options="\n".join(options))


def in_zsh(text):
    """Inside single quotes, in the description of an _arguments or _describe entry."""
    for mark in "\\[]:":
        text = text.replace(mark, "\\" + mark)
    return text.replace("'", "'\\''")


def zsh_specs(command):
    specs = []
    for option in command.options:
        value = ""
        if option.choices:
            value = f":value:({' '.join(option.choices)})"
        elif option.value:
            value = ":value:_files"
        specs += [f"'{name}[{in_zsh(option.help)}]{value}'" for name in option.names]
    return specs


def zsh(root, commands):
    listed = [f"        '{c.name}:{in_zsh(c.description)}'" for c in commands]
    options = []
    for command in commands:
        specs = zsh_specs(command) + (["'*:file:_files'"] if command.positionals else [])
        body = " \\\n            ".join(specs)
        options.append(f"        {command.name})\n          _arguments {body}\n          ;;")
    return ZSH.format(root=" ".join(zsh_specs(root)), commands="\n".join(listed),
                      options="\n".join(options))


def in_fish(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_option(condition, option):
    words = ["complete -c flymc", f"-n {condition}"]
    words += [f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}" for n in option.names]
    if option.choices:
        words.append(f"-x -a {in_fish(' '.join(option.choices))}")
    elif option.value:
        words.append("-r -F")
    return " ".join([*words, f"-d {in_fish(option.help)}"])


def fish(root, commands):
    lines = ["# fish completion for flymc; made from its --help by tools/command_files.py"]
    lines += [fish_option("__fish_use_subcommand", option) for option in root.options]
    for command in commands:
        lines.append(f"complete -c flymc -f -n __fish_use_subcommand -a {command.name} "
                     f"-d {in_fish(command.description)}")
        condition = in_fish(f"__fish_seen_subcommand_from {command.name}")
        lines += [fish_option(condition, option) for option in command.options]
    return "\n".join(lines) + "\n"
