#include <fmt/format.h>

#include <iterator>

#include "warden/base/json.h"
#include "warden/report/html_text.h"
#include "warden/report/page_assets.h"
#include "warden/report/report_document.h"

namespace warden::report {
namespace {

// As the policy of a page names a script: by the Base64 of its hash.
std::string HashSource(std::string_view hex) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto nibble = [](char c) {
    return static_cast<uint32_t>(c <= '9' ? c - '0' : c - 'a' + 10);
  };
  std::string base64;
  // Three hexadecimal digits are two of Base64; the one that is left of a SHA-256 is one.
  for (size_t i = 0; i < hex.size(); i += 3) {
    uint32_t bits = 0;
    for (size_t j = i; j < i + 3; ++j) bits = bits << 4 | (j < hex.size() ? nibble(hex[j]) : 0);
    base64 += kDigits[bits >> 6];
    if (i + 1 < hex.size()) base64 += kDigits[bits & 63];
  }
  while (base64.size() % 4 != 0) base64 += '=';
  return "'sha256-" + base64 + "'";
}

std::string_view ToneClass(Tone tone) {
  switch (tone) {
    case Tone::kPlain: return "plain";
    case Tone::kGood: return "good";
    case Tone::kWarning: return "warning";
    case Tone::kQuiet: return "quiet";
  }
  return "plain";
}

// For those who do not see colours.
std::string_view ToneWord(Tone tone) {
  if (tone == Tone::kGood) return "<span class=\"unseen\">Good: </span>";
  if (tone == Tone::kWarning) return "<span class=\"unseen\">Warning: </span>";
  return "";
}

// Running text: a number stays on one line with its percent sign.
std::string Sentence(std::string_view text) {
  std::string html = Escaped(text);
  for (size_t at = 0; (at = html.find(" %", at)) != std::string::npos;) {
    html.replace(at, 1, "&nbsp;");
  }
  return html;
}

class Page {
 public:
  std::string Write(const Report& report) {
    Head(report);
    html_ += "<body><a class=\"skip\" href=\"#content\">Skip to the report</a>\n";
    Header(report);
    html_ += "<div class=\"columns\">";
    Contents(report);
    html_ += "<main id=\"content\" tabindex=\"-1\">\n";
    First(report);
    for (const Section& section : report.sections) Write(section, 2);
    html_ += "</main></div>\n";
    Line(
        "<footer><p>Written by Tensorwarden at {}. All values are in <code>{}</code> next to this "
        "page. Times are in UTC.</p></footer>\n",
        Escaped(report.written_at), Escaped(report.values_at));
    html_ += "<script>";
    html_ += ReportScript().text;
    html_ += "</script></body></html>\n";
    return std::move(html_);
  }

 private:
  template <class... T>
  void Line(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(html_), format, std::forward<T>(values)...);
  }

  void Head(const Report& report) {
    html_ += "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n";
    Line(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src {}; "
        "style-src {}; base-uri 'none'; form-action 'none'\">\n",
        HashSource(ReportScript().sha256), HashSource(ReportStyle().sha256));
    html_ +=
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<meta name=\"referrer\" content=\"no-referrer\">\n";
    if (report.still_running) {
      html_ += "<noscript><meta http-equiv=\"refresh\" content=\"30\"></noscript>\n";
    }
    Line("<title>{}: {}</title>\n<style>", Escaped(report.title), Escaped(report.subtitle));
    html_ += ReportStyle().text;
    html_ += "</style></head>\n";
  }

  void Header(const Report& report) {
    Line("<header{}><div class=\"names\"><h1>{}</h1><p class=\"job\">{}</p></div>",
         report.still_running ? " data-running" : "", Escaped(report.title),
         Escaped(report.subtitle));
    if (report.still_running) {
      Line("<p class=\"running\" role=\"status\">Still running, as of {}</p>",
           Escaped(report.written_at));
    }
    html_ += "<div class=\"controls\"></div></header>\n";
  }

  void Contents(const Report& report) {
    html_ +=
        "<nav class=\"contents\" aria-label=\"Contents\"><ul>"
        "<li><a href=\"#first\">What to do first</a></li>";
    for (const Section& section : report.sections) {
      Line("<li><a href=\"#{}\">{}</a></li>", Escaped(section.id), Escaped(section.title));
    }
    html_ += "</ul></nav>\n";
  }

  void First(const Report& report) {
    html_ +=
        "<section id=\"first\" class=\"first\" aria-labelledby=\"first-title\">"
        "<h2 id=\"first-title\">What to do first</h2>\n";
    if (!report.first.empty()) html_ += "<ol>";
    for (const Advice& advice : report.first) {
      Line("<li><p class=\"advice\"><a href=\"#{}\">{}</a>", Escaped(advice.section),
           Escaped(advice.title));
      if (!advice.gain.empty()) Line("<span class=\"gain\">{}</span>", Sentence(advice.gain));
      Line("</p><p>{}</p></li>", Sentence(advice.text));
    }
    if (!report.first.empty()) html_ += "</ol>\n";
    Write(report.no_advice);
    html_ += "</section>\n";
  }

  void Write(const std::vector<Paragraph>& text) {
    for (const Paragraph& paragraph : text) {
      Line("<p class=\"{}\">{}{}</p>\n", ToneClass(paragraph.tone), ToneWord(paragraph.tone),
           Sentence(paragraph.text));
    }
  }

  void Write(const Section& section, int level) {
    const std::string id = Escaped(section.id);
    Line("<section id=\"{}\" aria-labelledby=\"{}-title\"><h{} id=\"{}-title\">{}</h{}>\n", id, id,
         level, id, Escaped(section.title), level);
    Write(section.text);
    if (!section.charts.empty()) {
      html_ += "<div class=\"charts\">";
      for (const Chart& chart : section.charts) Write(chart);
      html_ += "</div>\n";
    }
    for (const Table& table : section.tables) Write(table);
    for (const Section& part : section.parts) Write(part, level + 1);
    html_ += "</section>\n";
  }

  void Write(const Chart& chart) {
    const std::string title = Escaped(chart.title);
    Line(
        "<figure class=\"chart {}\" data-kind=\"{}\" data-x=\"{}\" data-y=\"{}\">"
        "<figcaption>{}</figcaption>",
        ChartKindName(chart.kind), ChartKindName(chart.kind), Escaped(chart.x_label),
        Escaped(chart.y_label), title);
    Line("<div class=\"plot\" role=\"group\" aria-label=\"{}. {}\"></div>", title,
         Escaped(chart.summary));
    html_ += "<script type=\"application/json\">";
    html_ += chart.data == nullptr ? "{}" : JsonForScript(*chart.data);
    html_ += "</script>";
    Line("<details><summary>Data<span class=\"unseen\"> of {}</span></summary><p>{}</p>", title,
         Escaped(chart.summary));
    Write(chart.table);
    html_ += "</details></figure>\n";
  }

  void Write(const Table& table) {
    const auto numeric = [&](size_t i) { return i < table.numeric.size() && table.numeric[i]; };
    Line(
        "<div class=\"table\" tabindex=\"0\" role=\"group\" aria-label=\"{}\"><table{}>"
        "<caption>{}</caption><thead><tr>",
        Escaped(table.caption),
        table.shown == 0 ? "" : fmt::format(" data-shown=\"{}\"", table.shown),
        Escaped(table.caption));
    for (size_t i = 0; i < table.columns.size(); ++i) {
      Line("<th scope=\"col\"{}>{}</th>", numeric(i) ? " class=\"number\"" : "",
           Escaped(table.columns[i]));
    }
    html_ += "</tr></thead><tbody>\n";
    for (const auto& row : table.rows) {
      html_ += "<tr>";
      for (size_t i = 0; i < row.size(); ++i) {
        // The first text names the row.
        const bool names = i == 0 && !numeric(0);
        html_ += names ? "<th scope=\"row\">" : numeric(i) ? "<td class=\"number\">" : "<td>";
        AppendEscaped(row[i], &html_);
        html_ += names ? "</th>" : "</td>";
      }
      html_ += "</tr>\n";
    }
    html_ += "</tbody></table></div>\n";
  }

  std::string html_;
};

}  // namespace

std::string ToHtml(const Report& report) { return Page().Write(report); }

}  // namespace warden::report
