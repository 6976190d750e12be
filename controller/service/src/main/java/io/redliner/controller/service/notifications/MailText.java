// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import org.springframework.web.util.HtmlUtils;

/** A notice as a mail. */
final class MailText {

    private MailText() {}

    /** One line, whatever is in it. */
    static String subject(Notice notice) {
        return "[RedLiner] " + Wording.headline(notice).replaceAll("\\p{Cntrl}", " ");
    }

    static String plain(Notice notice, Links links) {
        StringBuilder text = new StringBuilder(Wording.headline(notice)).append("\n\n");
        Wording.facts(notice)
                .forEach(fact -> text.append(fact.name()).append(": ").append(fact.value()).append('\n'));
        return text.append("\nRun: ").append(links.run(notice.runId())).append('\n').toString();
    }

    static String html(Notice notice, Links links) {
        StringBuilder html = new StringBuilder("<!DOCTYPE html><html><body><h2>")
                .append(escaped(Wording.headline(notice)))
                .append("</h2><table>");
        Wording.facts(notice)
                .forEach(fact -> html.append("<tr><th align=\"left\">")
                        .append(escaped(fact.name()))
                        .append("</th><td>")
                        .append(escaped(fact.value()))
                        .append("</td></tr>"));
        String run = escaped(links.run(notice.runId()));
        return html.append("</table><p>Run: ")
                .append(links.absolute() ? "<a href=\"" + run + "\">" + run + "</a>" : run)
                .append("</p></body></html>")
                .toString();
    }

    private static String escaped(String text) {
        return HtmlUtils.htmlEscape(text, "UTF-8");
    }
}
