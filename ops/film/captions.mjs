/** The captions of the demonstration film: one list for each episode, in two languages. */

const episodes = [
  [
    [11, 17, "There is a porch at the edge of town.", "町はずれに、縁側がひとつある。"],
    [18, 25, "When the light turns copper, the rain tends to come.", "光が銅色になるころ、雨はよく降る。"],
    [26, 32, "One cup of tea. Nobody asked for it yet.", "お茶が一杯。まだ誰も頼んでいない。"],
    [36, 43, "Ah. Here is the guest.", "ああ、お客さまだ。"],
    [44, 50, "She never knocks. She does not have to.", "戸はたたかない。その必要もない。"],
    [53, 60, "Somebody has lit the lamp in the garden.", "誰かが庭の灯をともした。"],
    [
      62,
      69,
      "Listen: on the roof it is loud, on the pond it is quiet.",
      "ほら、屋根の上はにぎやかで、池の上は静か。",
    ],
    [
      72,
      79,
      "Waiting out the rain is also a way of spending an evening.",
      "雨やどりも、ひとつの夜のすごし方。",
    ],
    [88, 94, "And then, all at once, it has stopped.", "そして、ふいに、やんでいる。"],
    [97, 103, "The moon was there the whole time.", "月はずっと、そこにいた。"],
    [105, 112, "One light. Two. Do not count aloud.", "光がひとつ。ふたつ。声に出して数えないで。"],
    [113, 117, "The tea is still warm.", "お茶は、まだあたたかい。"],
  ],
  [
    [11, 17, "In winter the porch is only open for an hour.", "冬の縁側は、一時間だけ開く。"],
    [19, 26, "The guest has decided that she lives here now.", "お客さまは、ここに住むことに決めたらしい。"],
    [
      29,
      36,
      "Snow makes no sound, so we keep our voices down too.",
      "雪は音を立てない。だから、こちらも小声になる。",
    ],
    [40, 47, "Far off, the valley holds its breath.", "遠くで、谷が息をひそめている。"],
    [51, 58, "There. The last train.", "ほら。終電だ。"],
    [60, 67, "Every lit window is somebody on the way home.", "あかりの窓のひとつひとつが、帰り道の誰か。"],
    [70, 77, "Good night, third car, second window.", "おやすみ、三両目の二つ目の窓。"],
    [82, 89, "After that the night is all ours.", "そのあとの夜は、ぜんぶ私たちのもの。"],
    [96, 102, "And when it has snowed enough, it is morning.", "そして、降りたいだけ降ったら、朝になる。"],
    [
      107,
      113,
      "She stretches. She has slept on both our behalf.",
      "彼女は伸びをする。二人ぶん、眠ったのだ。",
    ],
    [114, 117, "Come again.", "また、おいで。"],
  ],
];

const clock = (second) =>
  `00:${String(Math.floor(second / 60)).padStart(2, "0")}:${String(second % 60).padStart(2, "0")}.000`;

export function captions(episode, language) {
  const cues = episodes[episode - 1].map(
    ([start, end, english, japanese]) =>
      `${clock(start)} --> ${clock(end)}\n${language === "ja" ? japanese : english}\n`,
  );
  return `WEBVTT\n\n${cues.join("\n")}`;
}
