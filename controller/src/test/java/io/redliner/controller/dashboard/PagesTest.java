// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PagesTest {

    private static final Pattern OWN_FILES = Pattern
            .compile("(?:(?:src|href)=|\\bfrom )[\"'](/[a-z][^\"']*|\\./[^\"']*)[\"']");

    private final Client client = Scene.shared().client();

    @ParameterizedTest
    @ValueSource(strings = {"/", "/runs", "/runs/some", "/series/some", "/services/some", "/plans", "/plans/some",
        "/plans/new", "/schedules", "/audit"})
    void a_page_comes_whole_with_a_strict_policy_and_nothing_inline(String address) {
        Answer page = client.get(address);

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).startsWith("text/html");
        assertThat(page.header("Content-Security-Policy")).contains("default-src 'none'", "script-src 'self'")
                .doesNotContain("unsafe");
        assertThat(page.response().body()).contains("<title>", "· RedLiner", "</html>").doesNotContain("http://",
                "https://", "<script>", "style=", "th:", "onclick");
        assertThat(files(page)).contains("/css/redliner.css", "/js/shell.js")
                .filteredOn(file -> !file.startsWith("/api/"))
                .allSatisfy(file -> assertThat(client.get(file).status()).as(file).isEqualTo(200));
    }

    @ParameterizedTest
    @CsvSource({"/,overview.js", "/services/some,service.js", "/plans,plans.js", "/plans/some,plan.js",
        "/schedules,schedules.js", "/audit,audit.js", "/series/some,series.js"})
    void scripts_find_what_they_need_and_nothing_is_asked_of_other_hosts(String page, String own) {
        List<String> scripts = files(client.get(page)).stream().filter(file -> file.startsWith("/js/")).toList();

        assertThat(scripts).contains("/js/shell.js", "/js/" + own).allSatisfy(script -> {
            Answer answer = client.get(script);
            assertThat(answer.header("Content-Type")).contains("javascript");
            assertThat(answer.response().body()).doesNotContain("http://", "https://", "eval(", "new Function");
            assertThat(files(answer)).filteredOn(file -> file.startsWith("./")).allSatisfy(
                    file -> assertThat(client.get("/js/" + file.substring(2)).status()).as(file).isEqualTo(200));
        });
        assertThat(files(client.get("/")).stream().filter(file -> file.startsWith("/webjars/htmx"))).hasSize(1);
    }

    @Test
    void what_the_address_says_is_text_on_the_page() {
        String page = client.get("/services/%3Cscript%3Ealert(1)%3C%22'").response().body();

        assertThat(page).contains("data-subject=\"&lt;script&gt;alert(1)&lt;&quot;&#39;\"").doesNotContain("<script>");
    }

    private static List<String> files(Answer answer) {
        return OWN_FILES.matcher(answer.response().body())
                .results()
                .map((MatchResult found) -> found.group(1))
                .filter(file -> file.contains("."))
                .distinct()
                .toList();
    }
}
