// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.text.ReleaseVersion;
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
    @ValueSource(strings = {"/", "/runs", "/runs/some", "/series/some", "/services", "/services/some", "/plans",
        "/plans/some", "/plans:new", "/schedules", "/audit"})
    void a_page_comes_whole_with_a_strict_policy_and_nothing_inline(String address) {
        Answer page = client.get(address);

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).startsWith("text/html");
        assertThat(page.header("Content-Security-Policy")).contains("default-src 'none'", "script-src 'self'")
                .doesNotContain("unsafe");
        // The guide has a command that sends requests to this machine.
        assertThat(page.response().body().replace("http://127.0.0.1:10000/", ""))
                .contains("<title>", "· RedLiner", "</html>")
                .doesNotContain("http://", "https://", "<script>", "style=", "th:", "onclick");
        assertThat(files(page)).contains("/css/redliner.css", "/js/shell.js")
                .filteredOn(file -> !file.startsWith("/api/"))
                .allSatisfy(file -> assertThat(client.get(file).status()).as(file).isEqualTo(200));
    }

    @ParameterizedTest
    @CsvSource({"/,overview.js", "/services,services.js", "/services/some,service.js", "/runs/some,run.js",
        "/plans,plans.js",
        "/plans/some,plan.js",
        "/plans:new,plan.js",
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

    @ParameterizedTest
    @ValueSource(strings = {"/", "/js/api.js", "/css/redliner.css", "/api/v1/openapi.json", "/api/v1/openapi.yaml"})
    void pages_scripts_styles_and_the_api_are_compressed_for_those_who_take_it(String address) {
        Answer compressed = client.get(address, "Accept-Encoding", "gzip");

        assertThat(compressed.header("Content-Encoding")).isEqualTo("gzip");
        assertThat(compressed.header("Vary")).containsIgnoringCase("accept-encoding");
        assertThat(client.get(address).response().headers().firstValue("Content-Encoding")).isEmpty();
    }

    @Test
    void a_library_is_kept_by_browsers_and_an_own_script_is_not() {
        String library = files(client.get("/")).stream().filter(file -> file.startsWith("/webjars/")).findFirst()
                .orElseThrow();

        assertThat(client.get(library).header("Cache-Control")).isEqualTo("max-age=31536000, immutable");
        assertThat(client.get(library + ".none").header("Cache-Control")).contains("no-store");
        assertThat(client.get("/js/api.js").header("Cache-Control")).contains("no-store");
        assertThat(client.get("/js/api.js").header("X-Content-Type-Options")).isEqualTo("nosniff");
    }

    @Test
    void the_page_of_a_run_names_the_library_of_its_charts_and_does_not_load_it() {
        String page = client.get("/runs/some").response().body();
        String library = Pattern.compile("<meta name=\"chart-library\" content=\"([^\"]+)\"").matcher(page).results()
                .map((MatchResult found) -> found.group(1)).findFirst().orElseThrow();

        assertThat(page.split(Pattern.quote(library), -1)).hasSize(2);
        assertThat(client.get(library).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({"/runs,/runs,page", "/runs/some,/runs,true", "/series/some,/runs,true", "/services/some,/services,true",
        "/plans/some,/plans,true", "/plans:new,/plans,true"})
    void the_navigation_says_where_one_is(String address, String link, String current) {
        assertThat(client.get(address).response().body())
                .contains("<a href=\"" + link + "\" aria-current=\"" + current + "\">")
                .containsOnlyOnce("aria-current");
    }

    @Test
    void a_page_says_the_version() {
        assertThat(client.get("/").response().body()).contains(">RedLiner " + ReleaseVersion.get() + "<");
    }

    @Test
    void a_browser_that_asks_for_an_icon_by_itself_gets_one() {
        Answer icon = client.get("/favicon.ico");

        assertThat(icon.status()).isEqualTo(200);
        assertThat(icon.header("Content-Type")).startsWith("image/svg+xml");
    }

    @Test
    void what_the_address_says_is_text_on_the_page() {
        String page = client.get("/services/%3Cscript%3Ealert(1)%3C%22'").response().body();

        assertThat(page).contains("data-subject=\"&lt;script&gt;alert(1)&lt;&quot;&#39;\"").doesNotContain("<script>");
    }

    @Test
    void a_plan_may_be_called_as_it_likes_and_a_new_one_has_no_name_yet() {
        assertThat(client.get("/plans/new").response().body()).contains("data-subject=\"new\"", "<h1>new</h1>");
        assertThat(client.get("/plans:new").response().body()).contains("<h1>New plan</h1>")
                .doesNotContain("data-subject");
    }

    @ParameterizedTest
    @CsvSource({"/nothing,404", "/services/a/b,404", "/services/a%2Fb,404", "/services/a%3Bb,404",
        "/services/a%25b,404", "/runs/some/,404", "/js/none.js,404",
        "/error,500"})
    void people_get_a_page_of_what_went_wrong_that_leads_back(String address, int status) {
        Answer page = client.get(address, "Accept", "text/html,application/xhtml+xml,*/*;q=0.8");

        assertThat(page.status()).isEqualTo(status);
        assertThat(page.header("Content-Type")).startsWith("text/html");
        assertThat(page.header("Content-Security-Policy")).contains("default-src 'none'", "script-src 'self'");
        assertThat(page.response().body()).contains("· RedLiner", "<a href=\"/runs\">", "/js/shell.js", "</html>")
                .doesNotContain("Exception", "Whitelabel", "style=", "th:", "timestamp", address + '<');
        assertThat(page.response().body().contains("There is no such page")).isEqualTo(status == 404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*/*", "application/json"})
    void programs_get_a_problem_of_what_went_wrong(String accepted) {
        for (String address : new String[]{"/nothing", "/services/a/b"}) {
            Answer answer = client.get(address, "Accept", accepted);

            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        }
        assertThat(client.get("/api/v1/nothing", "Accept", "text/html").header("Content-Type"))
                .startsWith("application/problem+json");
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
