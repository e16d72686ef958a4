package social.feed.ctl.demo;

import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/** The names and texts of the demo world. */
final class DemoTexts {
  /** Names; the first one is the account that the page begins with, the second the celebrity. */
  static final List<String> NAMES =
      List.of(
          "Ada Okafor",
          "Nova Sterling",
          "Ben Larsen",
          "Chiara Rossi",
          "Diego Alvarez",
          "Emi Tanaka",
          "Farah Haddad",
          "Goran Petrov",
          "Hana Kim",
          "Ivo Novak",
          "Jana Weber",
          "Kofi Mensah",
          "Lea Fischer",
          "Mateo Silva",
          "Nadia Rahman",
          "Olga Ivanova",
          "Pablo Ortiz",
          "Quinn Harper",
          "Rosa Jimenez",
          "Sam Whitaker",
          "Tariq Aziz",
          "Uma Patel",
          "Viktor Lund",
          "Wei Chen",
          "Ximena Cruz",
          "Yusuf Demir",
          "Zoe Martin",
          "Aria Novak",
          "Bruno Costa",
          "Clara Hoffmann",
          "Dmitri Orlov",
          "Elif Kaya",
          "Finn Murphy",
          "Grace Lee",
          "Hugo Laurent",
          "Isla Fraser",
          "Jonas Berg",
          "Kira Sato",
          "Liam Walsh",
          "Mila Horvat",
          "Noor Ali",
          "Oscar Lindgren",
          "Priya Nair",
          "Rafael Mendes",
          "Sofia Romano",
          "Theo Dubois",
          "Ulla Hansen",
          "Vera Kozlova",
          "Will Turner",
          "Xu Lin",
          "Yara Costa",
          "Zane Cooper",
          "Amara Diallo",
          "Bastian Vogel",
          "Carmen Vega",
          "Dario Conti",
          "Esra Yilmaz",
          "Felix Braun",
          "Gita Sharma",
          "Henrik Dahl");

  private static final List<String> POSTS =
      List.of(
          "First snow of the year on the ridge. Worth the four o'clock alarm. #hiking #mornings",
          "The sourdough finally has ears. Day 41. #baking",
          "One table, six indexes, no joins. I was skeptical, and now I am not. #dynamodb #databases",
          "Reading a map is a conversation with a person who walked there before you. #hiking #maps",
          "Moved the greenhouse lamps to a timer. The tomatoes approve. #garden",
          "Hot take: the best code review comment is a question. #engineering",
          "New lens, old market, golden light. #photography #mornings",
          "My bike has a name now. It is called Later. #cycling",
          "We cut the p99 in half by deleting a cache. #engineering #databases",
          "Is there a better sound than rain on a tent that does not leak? #camping",
          "Idempotency keys are seat belts. You notice them once. #engineering #dynamodb",
          "Finished the crossword before the coffee. Suspicious. #mornings #coffee",
          "The museum lets you in for free on Thursdays, and it is quiet. #art",
          "Practiced the same eight bars for an hour. Bar nine is afraid. #music",
          "Single-table design is just naming things, with consequences. #dynamodb",
          "A very good dog fell asleep on my foot, so I live here now. #dogs",
          "Tried the ferry instead of the bridge. Ten minutes slower, a day better. #cycling",
          "Wrote the test first today. It wrote the code. #engineering",
          "The library lends telescopes! #space #books",
          "Saturn tonight, rings and all. #space",
          "Cardamom in the coffee. That is the post. #coffee",
          "Every diagram needs one arrow fewer. #design #engineering",
          "Swapped two seedlings with a neighbor. Best trade of the week. #garden",
          "If a queue is empty, its reader is either fast or broken. #engineering");

  private static final List<String> COMMENTS =
      List.of(
          "Love this.",
          "Same here, every time.",
          "Where is that?",
          "Saving this for the weekend.",
          "Strong opinion, and correct.",
          "More, please!",
          "This made my morning.",
          "I tried it, it works.",
          "Picture, please.",
          "Wait, how did you do that?");

  private DemoTexts() {}

  /** Returns the id and handle of a name, such as {@code ada_okafor}. */
  static String id(String name) {
    return name.toLowerCase(Locale.ROOT).replace(' ', '_');
  }

  static String post(RandomGenerator random) {
    return POSTS.get(random.nextInt(POSTS.size()));
  }

  static String comment(RandomGenerator random) {
    return COMMENTS.get(random.nextInt(COMMENTS.size()));
  }
}
