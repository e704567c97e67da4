"""The shadow of a text: what detectors read, with the way back to the original offsets.

Width, circled digits, ligatures, invisible characters, look-alike letters and the traditional forms
of label words are evened out, so that one rule covers all ways of typing.  Numbers keep their
separators: rules for numbers allow them.
"""

import re
import unicodedata
from functools import lru_cache

from deid.spans import Shadow

# Nothing in a text of these characters alone changes: most Chinese and ASCII text.
_PLAIN = re.compile(r"[\x09\x0a\x20-\x7e\u4e00-\u9fa5、。《》“”·—]*")
_LOOKALIKE = str.maketrans(
    "АВЕКМНОРСТХаеорсухΑΒΕΖΗΙΚΜΝΟΡΤΥΧοіѕј",
    "ABEKMHOPCTXaeopcyxABEZHIKMNOPTYXoisj",
)
_SIMPLE = str.maketrans(
    "電話號證醫師護單門診檢驗報時間網帳賬戶聯繫緊關係產婦兒媽爺親屬歲個們這說劉陳張楊黃趙吳孫馬馮鄧許韓蕭葉蔣蘇呂盧鍾薑譚陸貝"
    "賈韋鄒閻龍賀顧錢嚴齊龐顏莊聶魯歐陽鄭區縣鎮鄉樓層東廣國學館廠務體溫壓藥劑處開復術別齡職業斷療碼機郵編檔類標條嗎過還沒現發"
    "燒點兩陰農曆臺灣車輛駕駛執軍銀據錄籤簽審閱讀測園裡衚衕橋島嶺傑偉華強麗雲鳳蘭紅艷靜穎瑩瑤蓮慶榮誠賢聖維綺綿絲緯紳寶貴貞財"
    "質錦鐘鋒鋼銘閔隨雙雜離難韻順須顯風飛飯髮鬆魚鳥鴻麥龜壽嶽巖廈彥徑從徵慮應懷戰擔敵數曉書會極構樂櫃歸殘氣決沖況淚淨淺渾湯準"
    "溝滿漢潔澤濟濤為烏無煙熱燈燦牽犧狀獨獎獲環瑪畫異盤監盡眾睜碩禮禍種稱穩窮竄競筆節範築簡籃糧紀約級納紙紛細終組結統經綠緒線"
    "緣縱總績織繼續罷羅義習聞聲聽肅脈腦腫腸膚膽臉臨舉舊藝虛蟲補裝複規視覺觀觸計訂訓記設訴詞試詩該詳誤調談請論諸譜識譯議變讓負"
    "責費資賓賞賴賽贈贊趕跡踐軌軟較載輕輝輪輸轉辦辭迴連週進遊運達違遠適選遺遼邊釋針釣鈞鈴鉛銅銳錶鍵鎖鐵鑒長閃閒閘閣陣際雞靈頁"
    "項預頓頗領頭題額願飄馳駐駱騎騙驅驚",
    "电话号证医师护单门诊检验报时间网帐账户联系紧关系产妇儿妈爷亲属岁个们这说刘陈张杨黄赵吴孙马冯邓许韩萧叶蒋苏吕卢钟姜谭陆贝"
    "贾韦邹阎龙贺顾钱严齐庞颜庄聂鲁欧阳郑区县镇乡楼层东广国学馆厂务体温压药剂处开复术别龄职业断疗码机邮编档类标条吗过还没现发"
    "烧点两阴农历台湾车辆驾驶执军银据录签签审阅读测园里胡同桥岛岭杰伟华强丽云凤兰红艳静颖莹瑶莲庆荣诚贤圣维绮绵丝纬绅宝贵贞财"
    "质锦钟锋钢铭闵随双杂离难韵顺须显风飞饭发松鱼鸟鸿麦龟寿岳岩厦彦径从征虑应怀战担敌数晓书会极构乐柜归残气决冲况泪净浅浑汤准"
    "沟满汉洁泽济涛为乌无烟热灯灿牵牺状独奖获环玛画异盘监尽众睁硕礼祸种称稳穷窜竞笔节范筑简篮粮纪约级纳纸纷细终组结统经绿绪线"
    "缘纵总绩织继续罢罗义习闻声听肃脉脑肿肠肤胆脸临举旧艺虚虫补装复规视觉观触计订训记设诉词试诗该详误调谈请论诸谱识译议变让负"
    "责费资宾赏赖赛赠赞赶迹践轨软较载轻辉轮输转办辞回连周进游运达违远适选遗辽边释针钓钧铃铅铜锐表键锁铁鉴长闪闲闸阁阵际鸡灵页"
    "项预顿颇领头题额愿飘驰驻骆骑骗驱惊",
)
_DROPPED = frozenset("\ufe0e\ufe0f\u20e3\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")


def shadow(text: str) -> Shadow:
    """Return the shadow of ``text``.

    A shadow point maps to the code point it came from and the marks that sit on that: a keycap, a
    variation selector, an accent, a stroke through a digit.
    """
    if _PLAIN.fullmatch(text):
        return Shadow(
            text.translate(_SIMPLE), tuple(range(len(text))), tuple(range(1, len(text) + 1))
        )
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for index, character in enumerate(text):
        even = _even(character)
        if not even and ends and ends[-1] == index and _is_mark(character):
            ends[-1] = index + 1
        out.append(even)
        starts += [index] * len(even)
        ends += [index + 1] * len(even)
    return Shadow("".join(out), tuple(starts), tuple(ends))


@lru_cache(maxsize=4096)
def _even(character: str) -> str:
    """Return what stands for one code point: nothing for what cannot be seen."""
    if character in _DROPPED or unicodedata.category(character) == "Cf" or _is_mark(character):
        return ""
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    if character in "\r\v\f\u0085\u2028\u2029":
        return "\n" if character != "\r" else " "
    if character == "\u3000" or unicodedata.category(character) == "Zs":
        return " "
    even = unicodedata.normalize("NFKC", character)
    return even.translate(_LOOKALIKE).translate(_SIMPLE)


def _is_mark(character: str) -> bool:
    """Say whether a code point sits on the one before it."""
    return unicodedata.category(character) in {"Mn", "Me"}
