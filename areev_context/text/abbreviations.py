"""Words that decide whether a full stop ends a sentence, of all languages in one table.

The language of a text is not given, so each word stands in the table for every language. Where
two languages clash (an article of law and the word `art`), the entry takes the weaker kind, which
asks for more evidence from the text that follows.
"""

from __future__ import annotations

from enum import Enum

__all__ = [
    "ABBREVIATIONS",
    "IN_NAMES",
    "LETTERS",
    "NAMES_WITH_A_MARK",
    "NOT_AFTER_A_TIME",
    "ORDINAL_AFTER",
    "ORDINAL_BEFORE",
    "STARTERS",
    "Kind",
]


class Kind(Enum):
    """How likely the full stop of an abbreviation ends a sentence."""

    NEVER = "a sentence cannot end with it: a title, `for example`"
    STARTER = "a sentence ends where the next word is one that opens sentences"
    NUMBER = "a word like others, unless a number follows"
    LIST = "a sentence ends before a capital: `etc.`, and units"
    TIME = "a sentence ends before a capital, unless it has only begun (`At 5 a.m. Mr. Smith`)"
    YEAR = "after a number as TIME, else as NEVER"
    ROMAN = "a Roman number"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# A word in lower case stands for the word with a capital and for the word in capitals too. A word
# with a capital, or after `=`, stands for itself: `=max` is an abbreviation, `Max` is a man.
_NEVER = """
    Dr Drs Dres Abg Frhr Mr Mrs Ms Messrs Prof Hr Hrn Fr Frl Dipl Univ-Prof PD Mme Mlle Mgr Mag
    M MM Mmes Mlles Pr Sr Sra Srta Sres Dña Lic Ing =ing Arq Gral Excmo Excma Ilmo Ilma Rvdo Sto
    Sta Dra Drª Dª Doña
    =sen dott dott.ssa prof =prof prof.ssa Sig =sig Sigg =sigg Sig.ra =sig.ra Sig.na =sig.na avv
    egr spett
    =mons l'on L'on dell'on all'on ill.mo On Hon Rev Gov Sen Rep Pres Gen Col Lt Cmdr Capt Sgt Maj
    Cpl Adm Supt Insp Msgr Mons Eng
    vs viz cf cfr vgl bzw sog sogen ca cca approx bspw bsp ggf evtl insb insbes inkl incl zzgl exkl
    einschl lt zit hl geb verh gegr bzgl betr resp entspr allg p.ex p.ej per.es ad.es
    акад проф доц напр т.е т.к т.н и.о св тов г-н г-жа инж канд
    डॉ प्रो श्री पं स्व डा श्रीमती
    ดร ผศ รศ ศ นพ พญ
    م.د أ.د
"""
_STARTER = """
    St Ste Mt Ft Mts Ave Blvd Rd Hwy Sq Bldg Dept Univ Assn Bros Inc Ltd Corp Co co Cie Cía LLC
    Jr Sr
    Sen jun esp dept est Est govt misc pp al eds trans transl repr suppl dist
    nr abs abb tab aufl bd bde hrsg hg kap anm str pl stk tel mio mrd tsd std jg jgg bl lfd
    =max Me gem geom rag arch gent mwst ust verf vors stv zw entw gmbh verl hs cent mult med
    phil jur rer nat habil oec hon fa az sp nrn verz gesch beisp rspr
    ms mss tbl bst buchst ziff rn rdnr
    civ crim soc prés gén sén dép chap éd édit boul bd av apr env tél vb suiv sect fasc hab pl n° nº
    pág págs núm núms máx mín avda depto párrf párr dir amm idraul meteor lett sez dpto prov
    tfno ud uds vd vds apdo párr gob cta
    EE UU FF AA RR HH SS Rs admón apdo ext ref dir.gen
    depto pag pagg tel num segg nn cit tit
    стр рис табл гл ул пер просп пл корп оф обл р-н пос англ лат нем фр исп греч пп ст
    им тел мин кв ред изд вып пр сб соч отв зам зав нач доб внутр юр физ
    ए बी सी डी एफ जी एच आई जे के एल एम एन ओ पी क्यू आर एस टी यू वी डब्ल्यू एक्स वाई ज़ेड
    पू वि ई रु कि सं नं मो
"""
_NUMBER = """
    no nos art arts fig figs sec secs ch vol vols par para cap tab ed ex reg lib ref refs eq eqs
    jan feb mar apr jun jul aug sep sept oct nov dec janv févr avr juil juill déc ene abr dic
    ott lug okt dez jän Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun Mo Di Mi Do Sa So lun mar
    mié jue vie apt rm sáb dom mer gio ven sab jeu sam dim
    Max =min =mind int род ум =п pt pts pos fol
"""
_LIST = """
    etc usw usf ecc ff т.д т.п др и.др إلخ руб коп тыс млн млрд сек час кг км шт чел
"""
_TIME = "a.m p.m chr jh jhd jhdt jhs jht н.э a.c d.c"
_YEAR = "=г =гг =в =вв م هـ"
_ROMAN = """
    II III IV VI VII VIII IX XI XII XIII XIV XV XVI XVII XVIII XIX XX XXI XXII XXIII
"""

# Letters that stand for words, written with blanks between them or without: no end after these.
LETTERS = _words(
    "zB ZB dh eg ie EG IE pex pej PEj те тк Dh uU iA iV zH ZH pes PEs NB idR iS oä zT iHv"
)

# What opens sentences and is no name, no title and, in German, no noun. In capitals of its own.
_STARTERS = """
    A About After All Also Although An And Another Any Anyone Are As At Because Before Both But By
    Can Could Did Do Does During Each Even Every Everyone First For From Given Had Has Have He Her
    Here His How However I If In Instead Is It Its Just Later Let Maybe Meanwhile Moreover Most My
    Neither Next No Nobody None Nor Not Nothing Now Of On Once One Only Or Other Others Our Perhaps
    Please Second She Should Since So Some Someone Soon Sometimes Still Such Suddenly That The Their
    Then There Therefore These They Third This Those Though Thus To Today Tomorrow Too Two Under
    Unless Until We Was Were What When Where Whether Which While Who Whose Why With Would Yes
    Yesterday Yet You Your Again Already Always Around Besides Despite Either Eventually Ever
    Everything Few Finally Fortunately Further Generally Hence Indeed Inside Last Like Look Many
    More
    Much Never Nothing Often Otherwise Outside Over Rather Recently See Shall Similarly Something
    Thanks Through Together Try Unfortunately Up Upon Usually Well Whatever Within Without
    Aber Alle Allerdings Als Also Am An Andere Auch Auf Aus Außerdem Bei Beide Bis Bitte Da Dabei
    Dadurch Dafür Daher Damals Damit Danach Dann Daraufhin Darum Das Dass Davon Dazu Dem Den Denn
    Dennoch Der Deren Des Deshalb Deswegen Die Dies Diese Dieser Dieses Diesem Diesen Doch Dort
    Durch Ein Eine Einem Einen Einer Eines Er Erst Es Etwa Etwas Für Ganz Gegen Gestern Heute Hier
    Hierbei Ich Ihr Ihre Im Immer In Inzwischen Ist Ja Jede Jeder Jedes Jedoch Jetzt Kann Kein Keine
    Man Manche Mein Meine Mit Morgen Nach Nachdem Natürlich Neben Nein Nicht Nichts Niemand Noch Nun
    Nur Ob Obwohl Oder Ohne Schon Sehr Sein Seine Seit Seitdem Sie Sind So Sobald Solche Sonst
    Später
    Statt Trotz Trotzdem Über Um Und Uns Unser Unsere Unter Viele Vielleicht Vom Von Vor Wann War
    Waren Warum Was Wegen Weil Weitere Welche Wenn Wer Wie Wieder Wir Wird Wo Während Zu Zudem
    Zuerst
    Zum Zunächst Zur Zwei Zwischen Anders Bald Dagegen Ebenso Einmal Endlich Falls Ferner Folglich
    Gleichzeitig Hingegen Hinter Insgesamt Jemand Kaum Leider Lange Meist Meistens Mittlerweile Nie
    Oft Plötzlich Schließlich Selbst Seither Sicher Siehe Sollte Somit Stattdessen Übrigens
    Vermutlich
    Wahrscheinlich Weder Weiterhin Wenige Werden Wobei Würde Zuletzt Zwar
    Ainsi Alors Après Au Aucun Aujourd Aussi Autant Aux Avant Avec Beaucoup Bien Car Ce Cela Celui
    Cependant Certains Ces Cet Cette Chaque Chez Ça Comme Comment Dans Demain Depuis Dès Donc Du
    Elle
    Elles En Enfin Ensuite Entre Est Et Hier Ici Il Ils Je Jamais L La Le Les Leur Leurs Lors
    Lorsque
    Là Mais Malgré Moi Mon Ma Même Ne Non Nos Notre Nous Nul Où On Or Oui Par Parce Parfois Pendant
    Personne Peu Peut Plus Plusieurs Pour Pourquoi Pourtant Près Puis Puisque Quand Quant Que Quel
    Quelle Quelques Qui Quoi Rien Sa Sans Selon Ses Si Sinon Son Sous Souvent Sur Tandis Tous Tout
    Toute Toutefois Toutes Très Tu Un Une Vers Voici Voilà Votre Vos Vous Y À
    Además Ahora Al Algo Alguien Algunos Allí Ante Antes Aquel Aquella Aquí Así Aunque Ayer Bajo
    Cada
    Casi Cómo Con Contra Cuando Cuándo Cuánto Desde Después Donde Dónde Durante El Él Ella Ellos
    Ello
    Entonces Era Es Esa Ese Eso Esta Está Este Esto Estos Estas Fue Fueron Hace Hacia Hasta Hay Hoy
    Incluso Las Lo Los Luego Mañana Mi Mientras Mis Mucho Muchos Muy Nada Nadie Ninguno Nosotros
    Nuestra Nuestro Nunca O Otra Otro Otros Para Pero Porque Por Pronto Pues Que Qué Quien Quién
    Según Ser Se Sí Siempre Sin Sino Sobre Solo Sólo Son Su Sus También Tal Tampoco Tanto Te Tiene
    Toda Todas Todavía Todo Todos Tras Tras Unos Usted Ustedes Ya Yo
    Abbiamo Adesso Ai Alla Alle Allora Altri Anche Ancora Anzi Appena Basta Benché Che Chi Ci Ciò
    Come Così Cosa Da Dal Dalla Dalle Davanti Dei Del Della Delle Di Dopo Dove Dunque Durante È Ecco
    Egli Era Erano Essa Essi Fino Forse Fra Già Gli Ha Hanno I Ieri Infatti Infine Inoltre
    Intanto Io
    Le Lei Li Loro Lui Ma Mentre Nei Nel Nella Nelle Nello Neppure Nessuno Niente Noi Nonostante
    Nostro Oggi Ogni Oltre Ora Perché Perciò Però Più Poi Poiché Presso Prima Proprio Quale Quando
    Quasi Quello Quella Questa Queste Questi Questo Qui Quindi Sarà Se Secondo Sei Sembra Sempre
    Senza Siamo Sono Stava Subito Sul Sulla Tra Tuttavia Tutti Tutto Una Uno Vi Voi
    А Авторы Без Более Было Быть В Ведь Весь Во Вот Впрочем Все Всё Вскоре Где Да Дальше Для До Его
    Ему Если Ещё Еще Её Ее Же За Затем Зачем Здесь И Из Или Их К Каждый Кажется Как Какой Когда Кто
    Куда Ли Лишь Между Мне Многие Мой Может Мы На Над Надо Наш Не Него Нет Ни Никто Ничего Но Ну О
    Об Однако Он Она Они Оно От Перед По Под После Потом Потому Почему При Про Просто Пусть С Сам
    Сегодня Сейчас Скоро Со Спустя Так Также Такой Там Теперь То Тогда Только Тот Ты У Уже Хотя Чего
    Чем Через Что Чтобы Эта Эти Это Этот Я Завтра Вчера Иногда Всегда Никогда Поэтому Кроме
    As Os Não Mas Mais Também Uma Isso Esse Essa Ele Ela Eles Nós Então Depois
    De Het Een Dit Dat Deze Maar Ook Wij Zij Hij Niet Er
    To Nie Jest Na Się Ale Jak Co Czy Był Była
    Det Den De Han Hon Hun Men Och Og Vi Jeg Jag Ett
    Bu Bir Ve Ama O
"""

# Before a number with a full stop, these say that it is an ordinal (`am 3. Mai`).
_BEFORE = _words(
    "am zum vom der die das dem den des im beim bis ab jeder jedes jeden jede seit ihr ihre"
    " ihrem ihren ihrer sein seine seinem seinen seiner unser unsere unserem unseren mein meine"
    " meinem meinen dein deinem ein eine einem einen einer d dieser dieses diesem diesen"
)
ORDINAL_BEFORE = _BEFORE | {word.capitalize() for word in _BEFORE}

# After a number with a full stop, these say that it is an ordinal.
ORDINAL_AFTER = _words("""
    Januar Jänner Jan Februar Feber Feb März Mär Mrz April Apr Mai Juni Jun Juli Jul August Aug
    September Sept Sep Oktober Okt November Nov Dezember Dez Jahrhundert Jahrhunderts Jahrhunderte
    Jahrhunderten Jahrtausend Jahrtausends Jh Jhd Jhdt Jt Weltkrieg Weltkriegs Weltkrieges Platz
    Stock Stockwerk Etage Klasse Liga Bundesliga Kapitel Absatz Abschnitt Artikel Paragraf Paragraph
    Mal Tag Tages Tage Woche Monat Jahr Jahres Quartal Halbjahr Semester Runde Sitzung Auflage
    Ausgabe
    Band Teil Akt Szene Strophe Spieltag Minute Stunde Lebensjahr Geburtstag Jahrestag Hochzeitstag
    Bezirk Reihe Stufe Rang Sinfonie Symphonie Konzert Sonate Armee Division Regiment Senat Kammer
    Stelle Schritt Versuch Sieg Grad Person Satz Halbzeit Staffel Folge Tabelle FC FSV FFC SC OG UG
    Advent Gebot Buch Brief Generation Dynastie Etappe Wahlperiode Legislaturperiode Novelle
    Änderung
""")

# Openers of sentences that are parts of names too: no evidence after an initial (`C. De Gasperi`).
IN_NAMES = _words(
    "La Le Los El Les Da Dal Di Del Della De Dei Du Des Den Zu Zur Zum Vom L O A As Os Co To"
)

# What tells more about a time of day, or a day: no sentence begins with it after `a.m.`.
NOT_AFTER_A_TIME = _words("""
    EST EDT ET PST PDT PT CST CDT CT MST MDT MT GMT UTC BST CET CEST IST JST Eastern Pacific Central
    Mountain Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April
    May June July August September October November December إلى من عن على حتى بعد قبل
""")

# Names that are written with a mark of their own.
NAMES_WITH_A_MARK = _words("Yahoo Jeopardy Joomla Panic Oklahoma Yum Oliver E Kahoot Wham")


def _all_cases(word: str) -> tuple[str, ...]:
    if word.islower() and not word.startswith("="):
        return word, word.capitalize(), word.upper()
    return (word.removeprefix("="),)


# Where a word stands in two tables the earlier one, which is more careful, wins.
ABBREVIATIONS = {
    case: kind
    for kind, words in reversed(
        [
            (Kind.NEVER, _NEVER),
            (Kind.LIST, _LIST),
            (Kind.TIME, _TIME),
            (Kind.NUMBER, _NUMBER),
            (Kind.STARTER, _STARTER),
            (Kind.YEAR, _YEAR),
            (Kind.ROMAN, _ROMAN),
        ]
    )
    for word in words.split()
    for case in _all_cases(word)
}
STARTERS = _words(_STARTERS)
