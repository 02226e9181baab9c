#!/bin/sh
# Prints the text of an office file: docx, xlsx, pptx, odt, ods, odp. Needs unzip and sed.
set -eu
[ "$#" -eq 1 ] && [ -f "$1" ] || { echo "usage: office-text.sh FILE" >&2; exit 2; }
file=$1
case "$file" in -*) file=./$file ;; esac

# One paragraph, row or slide becomes one line; marks go, the five named signs come back.
to_text() {
  sed -e 's#</w:p>\|</a:p>\|</text:p>\|</text:h>\|</row>\|</si>\|</table:table-row>#\n#g' \
      -e 's#<w:tab/>\|</c>\|</table:table-cell>#\t#g' -e 's#<w:br/>\|<text:line-break/>#\n#g' |
    sed -e 's#<[^>]*>##g' -e 's#&lt;#<#g; s#&gt;#>#g; s#&quot;#"#g; s#&apos;#'\''#g; s#&amp;#\&#g' | sed -e '/^[[:space:]]*$/d'
}

parts=$(unzip -Z1 "$file" | grep -E '^(word/(document|footnotes|endnotes|header[0-9]*|footer[0-9]*)\.xml|xl/sharedStrings\.xml|xl/worksheets/sheet[0-9]+\.xml|ppt/slides/slide[0-9]+\.xml|content\.xml)$' | sort -V) || {
  echo "There is no text of an office file in $1." >&2
  exit 1
}
printf '%s\n' "$parts" | while IFS= read -r part; do
  printf '== %s\n' "$part"
  unzip -p "$file" "$part" | to_text
done
