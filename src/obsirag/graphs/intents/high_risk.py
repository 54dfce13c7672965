"""Permissions, security, and operations on running systems; and whether something is to be done, or only told of."""

from __future__ import annotations

import re

from obsirag.graphs.intents.wording import asks, own_words, sentences

__all__ = ["is_high_risk", "is_request", "urges"]

_VERB_EN = (
    r"(?:undo|undoing|renam(?:e|ing|ed)|migrat(?:e|ing|ed)|roll(?:ing|ed)? ?back|revert(?:ing|ed)?|delet(?:e|ing|"
    r"ed)|remov(?:e|ing|ed)|wip(?:e|ing|ed)|purg(?:e|ing|ed)|drop(?:ping|ped)?|eras(?:e|ing|ed)|truncat(?:e|ing|"
    r"ed)|restart(?:ing|ed)?|reboot(?:ing|ed)?|shut(?:ting)? ?down|tak(?:e|ing) down|kill(?:ing|ed)?|"
    r"format(?:ting|ted)?|overwrit(?:e|ing|ten)|reset(?:ting)?)"
)
_SYSTEM_EN = (
    r"(?:production|prod\b|live (?:server|service|database|system|environment)s?|(?:login|game|build|ci|database|"
    r"backup|perforce|license|dedicated) (?:server|service|farm|machine|agent)s?|the (?:live|production) \w+|"
    r"the servers?\b(?! (?:value|side|callback|rpc))|database|backups?|(?:release|main|master|old|"
    r"protected|feature|remote) (?:branch|stream|folder)\w*|branch(?:es)?|trunk|depot|repo(?:sitor(?:y|ies))?|"
    r"releases?|deployments?|(?:production|prod|live|user|player) (?:database|data|environment|system)|cluster|"
    r"(?:user|build|service|admin) accounts?|(?:shared|main) (?:server|machine|drive|volume|cache|folder|line|index)s?)"
)
_HIDDEN_EN = (
    r"(?:passwords?|passphrases?|credentials?|private keys?|(?:signing|ssh|api|encryption|deploy|license) keys?|"
    r"keystores?|(?:api|access|auth|refresh|deploy) tokens?|certificates?(?! of completion)|secrets?|2fa|"
    r"two-factor(?: authentication)?)"
)
_ACCESS_EN = (
    r"(?:(?:admin(?:istrator)?|root|sudo|write|super ?user|owner|full|elevated|production|depot|"
    r"server)[- ](?:access|rights?|permissions?|privileges?|role)|(?:\w+'s )?access (?:to|on|for)|"
    r"permissions? (?:on|for|to) (?:the )?(?:depot|server|repo|branch|stream|perforce|build)\w*)"
)
_GUARD_EN = (
    r"(?:firewall|antivirus|branch protections?|protections? (?:on|of|for)|two-factor\w*(?: authentication)?|2fa|"
    r"mfa|encryption|audit(?: log)?(?:ging|s)?|code signing|tls|ssl|certificate (?:checks?|validation)|"
    r"authentication|access control|permission checks?|backups?|monitoring)"
)

_RISKS_EN = (
    # Words that are nothing else.
    r"\bobliterat\w+|\bforce[- ]push\w*|\bpush\w* (?:-f|--force)\b|\brm -rf\b|\bgit reset --hard\b|\b(?:drop|"
    r"truncate) (?:the )?(?:\w+ ){0,2}(?:table|database)\b|"
    rf"\b{_VERB_EN}\b(?: \S+){{0,6}}? {_SYSTEM_EN}",
    rf"\b{_SYSTEM_EN} (?:should |must |can |may |has to |needs to )?(?:be |been |is |was |being )+{_VERB_EN}\b",
    rf"\b(?:grant|give|get|gets|need|request|obtain|revoke|remove|add|have|apply for|want|assign|withdraw|"
    rf"elevate)\w*\b(?: \S+){{0,4}}? {_ACCESS_EN}",
    rf"\b(?:reset|change|share|send|give|tell|show|rotat|renew|replac|revok|leak|need|get|export|copy|regenerat|"
    rf"recover|creat|issu|have|who (?:keeps|holds|has|knows))\w*\b(?: \S+){{0,5}}? {_HIDDEN_EN}\b",
    r"\b(?:where|what|who)\b[^.?!]{0,30}\b(?:password|passphrase|credentials|private key|signing (?:key|"
    r"certificate)|api key)s?\b[^.?!]{0,30}",
    rf"\b(?:disabl|turn\w* off|switch\w* off|bypass|circumvent|remov|deactivat|stop|lift|"
    rf"suspend)\w*\b(?: \S+){{0,4}}? {_GUARD_EN}\b",
    r"\b(?:turn|switch) (?:the )?(?:firewall|antivirus|two-factor\w*|2fa|audit\w*|protection) off\b",
)
_VERB_ZH = (
    r"(?:回滚|回退|还原|删除|删掉|删了|删去|清空|清除|清掉|清理掉|销毁|抹掉|覆盖|重启|关停|停掉|停机|下线|关掉|"
    r"格式化|强推|重置|移除)"
)
_SYSTEM_ZH = (
    r"(?:线上|生产|正式(?:服|环境|库)|服务器(?!权威|端|自己)|数据库|生产库|备份|分支|主干|仓库|depot|release|"
    r"stream|(?:主干|开发|发布|release|main|dev)\s?流|版本库|发布版?|发版|版本(?!号)|集群|构建机|ci\s*机器|打包机|机房|登录服务|"
    r"服务(?!器权|器端)|账号|账户|正式服|共享(?:盘|目录|缓存))"
)
_HIDDEN_ZH = r"(?:密码|口令|私钥|密钥|秘钥|证书|凭据|凭证|令牌|token|api ?key|keystore|u ?盾|验证码)"
_GUARD_ZH = (
    r"(?:防火墙|杀毒|分支保护|保护规则|双重认证|两步验证|二次验证|加密|审计|权限(?:检查|校验|控制)|签名校验|"
    r"证书校验|监控|备份)"
)

_MORE_EN = (
    r"\b(?:who|which (?:people|teams?|roles?))\b[^.?!]{0,20}\baccess to (?:the )?(?:\w+ )?(?:server|depot|repo|"
    r"database|account|system|machine)",
    r"\bmake (?:me|him|her|them|\w+) (?:an? |the )?(?:owner|admin\w*|maintainer|superuser)\b",
    r"\b(?:add|put|invite) \S+(?: \S+)? (?:to|into) (?:the )?\w+ (?:group|role)\b",
    r"\b(?:whitelist|allowlist|open|unblock)\b[^.?!]{0,30}\b(?:firewall|port|vpn)\b",
    r"\b(?:merg|push|submit|commit)\w*\b[^.?!]{0,25}\b(?:main|master|trunk|release)\b[^.?!]{0,15}\b(?:without|"
    r"skip|bypass)",
    rf"\b{_HIDDEN_EN}\b[^.?!]{{0,15}}\b(?:leak|stolen|lost|exposed|compromised|expire)\w*",
)
_RISKS_ZH = (
    r"(?:撤回|撤掉|回撤)[^。！？，]{0,6}(?:发布|上线|部署|版本)|(?:发布|上线|部署)[^。！？，]{0,4}(?:撤回|撤掉|回撤)",
    r"(?:加|拉|放)(?:到|进|入)[^。！？，]{0,8}(?:管理员|权限|管理|leads|admin)\w*组?|开通[^。！？，]{0,8}(?:访问|"
    r"权限|账号)",
    r"(?:不走|跳过|绕过|不经|没有)(?:评审|审查|审批|review)[^。！？]{0,8}(?:合|推|提|上线|发布)|直接(?:合|推|"
    r"提交)(?:到|进)[^。！？]{0,3}(?:主干|主线|main|master|release)",
    r"(?:备份|快照)[^。！？，存]{0,4}(?:删|清|覆盖)|protect 表|(?:登录|登陆|进入)[^。！？，]{0,6}(?:服务器|生产|"
    r"后台|机房)",
    r"(?:批准|审批|允许)[^。！？，]{0,8}(?:回滚|回退|发布|部署)",
    r"(?:线上|生产|正式|构建机?|打包)[^。！？，]{0,12}(?:改(?:个)?名|杀掉|杀死|结束进程|kill|迁移)",
    r"强制?推(?:送)?(?!荐|出|进)|强推|擦除(?:版本|历史|文件|仓库)",
    rf"{_VERB_ZH}[^。！？，]{{0,10}}{_SYSTEM_ZH}",
    rf"{_SYSTEM_ZH}[^。！？，]{{0,10}}{_VERB_ZH}",
    r"(?:管理员|admin|root|超级用户|sudo|写|读写|提交|仓库|服务器|数据库|perforce|p4|系统|最高|"
    r"访问)(?:的)?\s*(?:权限|身份|访问权)",
    r"(?:开|给|加|提升|申请|授予?|收回|撤销|撤回|取消|移除|分配|要|借|改)[^。！？，]{0,10}权限|授权给|(?:撤销|"
    r"收回)[^。！？，]{0,8}访问",
    rf"(?:重置|修改|改|更换|轮换|分享|共享|发|给|告诉|导出|借|要|吊销|续期|更新|申请|找回|泄露|存|放|保管|谁有|"
    rf"谁拿)[^。！？，]{{0,12}}{_HIDDEN_ZH}",
    rf"{_HIDDEN_ZH}[^。！？，]{{0,12}}(?:重置|修改|更换|轮换|分享|发我|发给|给我|告诉|导出|借|吊销|续期|申请|找回|"
    rf"泄露|存|放|保管|到期|过期|是什么|是多少|在哪|在谁|交给)",
    rf"(?:关闭|关掉|关了|停用|禁用|绕过|跳过|去掉|解除|取消)[^。！？，]{{0,8}}{_GUARD_ZH}",
    rf"{_GUARD_ZH}[^。！？，]{{0,8}}(?:关闭|关掉|关了|关|停用|停掉|禁用|去掉|解除|取消)",
)
_RISK = re.compile("|".join((*_RISKS_EN, *_MORE_EN, *_RISKS_ZH)), re.IGNORECASE)
# A game has servers that call back, and clients that roll back; a page is protected with a password.
_NO_RISK = re.compile(
    r"\bdrop (?:tables?|rates?|chances?)\b(?= for| of| entr|\?)|\bprotect\w*\b[^.?!]{0,30}\bwith (?:a )?password|"
    r"\bon the server\b|\bserver[- ]side\b|\bserver (?:rpc|value|callback)s?\b|\btasks? (?:is|are) \w+|"
    r"\bpassword (?:field|box|widget|prompt|input)\b|服务器(?:端|上(?=[的调用跑执]))|密码(?:框|锁|输入框|门|本)|"
    r"证书成就",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"\b(?:please|pls|can you|could you|would you|will you|i need you to|i want you to|for me|right now|asap|"
    r"immediately|go ahead|just do)\b|帮我|帮忙|麻烦|请(?!问)|给我|马上|立即|立刻|现在就|赶紧|急用|替我|吧\s*\Z|"
    r"^把|[，,]把|先把|你(?:能|可以)(?:帮|把|给)|我要(?!怎|如何)|发我",
    re.IGNORECASE,
)
_YES_NO = re.compile(r"[吗么]\s*[?？]?\s*\Z|[?？]\s*\Z")
_CLAUSE_END = re.compile(r"[,，、]|\band (?=how|what|which|who|where|when|why)", re.IGNORECASE)
_URGES = re.compile(
    r"\b(?:do (?:it|that|this|so)\b(?! work)|go ahead|just do|proceed|make it so|carry on with (?:it|that)|"
    r"execute (?:it|that)|run (?:it|that) (?:now|for me|please)|yes,? do)\b|(?:那?就|现在|马上|立即|帮我|请|直接|"
    r"赶紧|替我)[^。！？]{0,4}(?:做|执行|操作|弄|办|搞|动手|开始|照做)(?:吧|了|一下)?\s*[。!！]?\s*\Z|^\s*(?:照做|"
    r"执行|动手|去做|开始)吧",
    re.IGNORECASE,
)


def is_high_risk(question: str) -> bool:
    """Say whether a question is about permissions, security, or an operation on a running system."""
    return bool(_RISK.search(_NO_RISK.sub(" · ", own_words(question))))


def is_request(question: str) -> bool:
    """Say whether a question of high risk wants something done, rather than to know how it is done, and by whom."""
    parts = [each for each in sentences(own_words(question)) if _RISK.search(each)] or sentences(own_words(question))
    return any(_is_order(each, question) for each in parts)


def urges(question: str) -> bool:
    """Say whether a follow-up wants done what was talked about: "Go ahead", "现在就执行"."""
    text = own_words(question)
    return bool(_URGES.search(text)) and not asks(text)


def _is_order(sentence: str, question: str) -> bool:
    if asks(_without_further_clauses(sentence)):
        return False
    return bool(_POLITE.search(sentence)) or not _YES_NO.search(question.rstrip()) or asks(sentence)


def _without_further_clauses(sentence: str) -> str:
    """Return a sentence up to the end of its risky clause: "Roll it back, and how long does that take?"."""
    risk = _RISK.search(sentence)
    end = _CLAUSE_END.search(sentence, risk.end()) if risk else None
    return sentence[: end.start()] if end else sentence
