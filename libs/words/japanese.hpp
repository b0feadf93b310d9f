// The Japanese words.
#pragma once
#include "words/words.hpp"

namespace recruiting {

inline constexpr words japanese = {
    .language = "ja",
    .thousands = ",",
    .skip = "本文へ移動",
    .open_jobs = "募集中の求人",
    .search = "検索",
    .department = "部署",
    .location = "勤務地",
    .workplace = "勤務形態",
    .employment = "雇用形態",
    .any = "すべて",
    .show = "表示",
    .reset = "すべて表示",
    .no_jobs = "該当する求人はありません。",
    .previous = "前のページ",
    .next = "次のページ",
    .pages = "ページ",
    .salary = "給与",
    .published = "掲載日",
    .closes = "締切",
    .invited = "面接に招待された方は日時をお選びください",
    .without_script = "ここで日時を選ぶにはJavaScriptが必要です。使えない場合は招待メールにご返信ください。",
    .original = "元の求人",
    .not_found = "ページが見つかりません",
    .not_found_text = "アドレスが間違っているか、募集が終了した可能性があります。",
    .unavailable = "現在ご利用いただけません",
    .unavailable_text = "しばらくしてからもう一度お試しください。",
    .refused = "処理できませんでした",
    .refused_text = "リクエストを理解できませんでした。",
    .request = "リクエスト",
    .on_site = "出社",
    .hybrid = "ハイブリッド",
    .remote = "リモート",
    .full_time = "フルタイム",
    .part_time = "パートタイム",
    .contract = "業務委託",
    .temporary = "有期雇用",
    .internship = "インターンシップ",
    .other = "その他",
    .year = "／年",
    .month = "／月",
    .week = "／週",
    .day = "／日",
    .hour = "／時",
    .time =
        {
            .weekdays = {"日", "月", "火", "水", "木", "金", "土"},
            .months = {"1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"},
            .first_of_month = "1",
            .day = "{year}年{month}{day}日（{weekday}）",
            .moment = "{date}{clock}（{zone}、UTC{offset}）",
            .length = "{minutes}分",
        },
    .interview =
        {
            .booked = "面接が予約されています",
            .canceled = "面接はキャンセルされました",
            .unplaced = "別の日時をお選びください",
            .over = "面接は終了しました",
            .begun = "面接が始まりました",
            .notice_booked = "下記の日時で面接を予約しました。詳細をメールでお送りします。",
            .notice_unchanged = "すでにその日時で予約されています。変更はありません。",
            .notice_canceled = "面接をキャンセルしました。確認のメールをお送りします。",
            .notice_taken = "その日時は先ほど埋まりました。別の日時をお選びください。",
            .notice_not_offered = "その日時は予約できません。別の日時をお選びください。",
            .notice_closed = "面接が始まっているため、ここでは変更できません。",
            .notice_choose = "日時を1つお選びください。",
            .not_free = "ご希望の日時はすでに埋まっています。まだ予約は完了していません。",
            .declined = "面接担当者の都合により、この日時には面接を行えなくなりました。現在、予約はありません。",
            .when = "日時",
            .asked_for = "ご希望の日時",
            .duration = "所要時間",
            .with = "面接担当者",
            .job = "職種",
            .stage = "選考段階",
            .join = "面接に参加する",
            .add_to_calendar = "カレンダーに追加",
            .other_times = "別の日時を選ぶ",
            .times = "日時を選ぶ",
            .no_times = "現在、ほかに空いている日時はありません。後ほどもう一度ご覧ください。",
            .times_zone = "時刻は{zone}のものです。",
            .move = "面接の日時を変更する",
            .book = "この日時で予約する",
            .cancel = "面接をキャンセルする",
            .cancel_frees = "この日時はすぐにほかの方が予約できるようになります。",
            .cancel_keeps = "このリンクから、後で別の日時を選ぶこともできます。",
            .cancel_confirm = "はい、面接をキャンセルします",
            .closed = "ここではもう変更できません。",
            .local_time = "お使いのタイムゾーン（{zone}）では{time}",
            .local_clock = "現地時刻{time}",
            .dead_link = "このリンクは無効です",
            .dead_link_text =
                "リンクが途中で切れているか、有効期限が切れている可能性があります。面接に関する最新のメールに"
                "あるリンクを、省略せずに開いてください。",
            .join_opens = "このリンクは{time}から面接会場につながります。",
            .join_not_set =
                "面接会場のアドレスがまだ設定されていません。数分後にもう一度このリンクを開いてください。それでも"
                "つながらない場合は、{organization}にお問い合わせください。",
            .join_moved = "面接の日時が変更されました。現在の日時は下記のとおりです。",
            .join_canceled =
                "参加できる面接はありません。面接に関する最新のメールにあるリンクから、別の日時を選べます。",
        },
    .decline =
        {
            .question = "この面接を辞退しますか？",
            .effect = "面接はキャンセルされ、応募者には別の日時を選ぶためのメールが送られます。この時間帯の枠は閉じられ"
                      "、再び提示されることはありません。",
            .confirm = "はい、面接を辞退します",
            .declined = "この面接を辞退しました",
            .declined_text = "応募者には別の日時を選ぶためのメールが送られます。また、カレンダーから面接を削除するため"
                             "のメールがお手元に届きます。",
            .repeated = "この面接はすでに辞退されています。変更はありません。",
            .moved = "この面接の日時は変更されました",
            .moved_text = "現在の日時の面接を辞退するには、この面接に関する最新のメールにあるリンクをお使いください。",
            .canceled = "この面接はキャンセルされています。辞退の必要はありません。",
            .begun = "面接が始まっているため、ここでは辞退できません。",
        },
    .mail =
        {
            .label_end = "：",
            .hello = "{name} 様",
            .hello_unnamed = "ご応募者様",
            .confirmed_subject = "面接の予約が確定しました：{job}",
            .rescheduled_subject = "面接の日時が変更されました：{job}",
            .canceled_subject = "面接がキャンセルされました：{job}",
            .slot_taken_subject = "面接の日時をもう一度お選びください：{job}",
            .already_booked_subject = "面接はすでに予約されています：{job}",
            .declined_subject = "面接の日時の変更をお願いします：{job}",
            .confirmed = "{organization}の「{job}」の面接の予約が確定しました。",
            .rescheduled = "{organization}の「{job}」の面接が別の日時に変更されました。",
            .canceled = "{organization}の「{job}」の面接がキャンセルされました。",
            .slot_taken =
                "{organization}の「{job}」の面接でご希望の日時は、先ほど埋まりました。まだ予約は完了していません。"
                "別の日時をお選びください。",
            .already_booked =
                "このメールアドレスで、{organization}の「{job}」の面接の申し込みがありました（おそらくご本人様"
                "によるものです）。面接はすでに予約されており、そのまま変更ありません。",
            .declined = "{organization}の「{job}"
                        "」の面接は、面接担当者の都合により、ご予約の日時に行えなくなりました。現在、予約はありません。"
                        "お手数ですが、別の日時をお選びください。",
            .before = "変更前",
            .taken = "埋まった日時",
            .join = "参加",
            .manage_link = "面接の日時変更・キャンセル",
            .rebook_link = "別の日時を予約する",
            .pick_link = "別の日時を選ぶ",
            .link_note = "このリンクはご本人様専用です。リンクを知っている人は面接を変更できますのでご注意ください。"
                         "有効期限：{time}",
            .join_note = "参加用のリンクは、開始の少し前から面接会場につながります。",
            .invitation_note = "添付の招待状から面接をカレンダーに追加できます。予定にはご本人様専用のリンクも含まれる"
                               "ため、非公開に設定されています。",
            .automatic_note = "このメールは自動的に送信されています。ご返信いただいても確認できません。",
            .calendar_file = "カレンダーファイル（.ics）",
            .event_title = "面接：{with}、{job}",
            .event_stage = "選考段階：{stage}",
            .event_join = "参加：{link}",
            .event_change = "日時変更・キャンセル：{link}",
            .event_decline = "辞退：{link}",
        },
};

} // namespace recruiting
