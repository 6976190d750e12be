// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Dialog;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The editor of plans: it loses nothing, says what is saved, completes fields, and counts what limits allow. */
@Tag("browser")
class PlanEditorTest {

    private static final String COMMENT = "# for the night shift\n";

    /** Names and values that the editor offers at a place of a text, which a bar marks. */
    private static final String OFFERED = """
            async places => {
              const {completions} = await import('/js/plan-fields.js');
              const schema = await (await fetch('/api/v1/plan.schema.json')).json();
              return places.map(place => (completions(schema, place.replace('|', ''), place.indexOf('|')) || {items: []})
                .items.map(one => one.text).join(' '));
            }""";

    @RegisterExtension
    final Dashboard dashboard = new Dashboard();

    @RegisterExtension
    final Visits visits = new Visits();

    private String plan = "";

    @BeforeEach
    void store() {
        plan = COMMENT + Plans.quick(dashboard.service()).replace("name: quick", "name: edited");
        dashboard.controller().putPlan("edited", plan);
    }

    private Visitor open() {
        Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT);
        // Nothing that a test typed keeps its page.
        visitor.context().onDialog(Dialog::accept);
        assertThat(text(visitor.open("/plans/edited").page())).hasValue(plan);
        return visitor;
    }

    private static Locator text(Page page) {
        return page.getByRole(AriaRole.TEXTBOX, new GetByRoleOptions().setName("Plan as YAML"));
    }

    private static Locator saved(Page page) {
        return page.locator("#saved-state");
    }

    private static Locator inDialog(Page page, String button) {
        return page.getByRole(AriaRole.DIALOG).getByRole(AriaRole.BUTTON,
                new Locator.GetByRoleOptions().setName(button).setExact(true));
    }

    private static void pressSave(Page page) {
        page.locator("#save").click();
        inDialog(page, "Save").click();
    }

    @Test
    void comments_are_kept_and_saved_is_said_of_what_is_stored_alone() {
        Visitor visitor = open();
        Page page = visitor.page();
        assertThat(saved(page)).hasText(Pattern.compile("Saved: this is version \\d+\\."));
        assertThat(page.locator("#save")).isDisabled();
        assertThat(page).hasTitle(Pattern.compile("^edited"));

        text(page).fill(plan + "# and for the day\n");

        assertThat(saved(page)).containsText("Not saved: the text differs from version");
        assertThat(page).hasTitle(Pattern.compile("^● edited"));
        assertThat(page.locator("#check-state")).hasText("No mistakes.");
        visitor.assertAccessible();
        visitor.screenshot("plan-unsaved");
        pressSave(page);
        assertThat(saved(page)).containsText("Saved: this is version");
        assertThat(page.locator("#done")).containsText("Saved as version");
        assertThat(text(page)).hasValue(plan + "# and for the day\n");
        page.reload();
        assertThat(text(page)).hasValue(plan + "# and for the day\n");
        assertThat(page.getByText("What you had typed before")).isHidden();
        assertThat(visits.visitor(dashboard.address(), Look.PHONE).open("/plans:new").page().locator("#saved-state"))
                .hasText("Not saved: this plan exists only here.");
    }

    @Test
    void a_save_that_failed_keeps_what_was_typed_even_when_the_page_is_loaded_anew() {
        Visitor visitor = open();
        visitor.troubles().expect("status of 503");
        Page page = visitor.page();
        visitor.context().route("**/api/v1/plans/edited", route -> {
            if (route.request().method().equals("PUT")) {
                route.fulfill(new Route.FulfillOptions().setStatus(503).setContentType("application/problem+json")
                        .setBody("{\"status\": 503, \"title\": \"The database does not answer\"}"));
            } else {
                route.resume();
            }
        });
        String typed = plan + "# typed at three in the morning\n";
        text(page).fill(typed);
        pressSave(page);
        assertThat(page.getByRole(AriaRole.DIALOG)).containsText("The database does not answer");
        inDialog(page, "Cancel").click();
        assertThat(saved(page)).containsText("NOT saved: The database does not answer");
        assertThat(text(page)).hasValue(typed);

        page.reload();

        assertThat(page.getByText("What you had typed before is here again; it is not saved.")).isVisible();
        assertThat(text(page)).hasValue(typed);
        assertThat(saved(page)).containsText("Not saved");
        visitor.assertAccessible();
        visitor.context().unroute("**/api/v1/plans/edited");
        pressSave(page);
        assertThat(saved(page)).containsText("Saved: this is version");
        assertThat(page.getByText("What you had typed before")).isHidden();
    }

    @Test
    void a_run_of_a_text_that_is_older_than_the_saved_one_says_so_before_it_begins() {
        Page page = open().page();
        Locator dialog = page.getByRole(AriaRole.DIALOG);
        page.locator("#start").click();
        assertThat(dialog).containsText("Start a run?");
        assertThat(dialog).not().containsText("newer");
        inDialog(page, "Cancel").click();
        dashboard.controller().putPlan("edited", plan.replace("maxShare: 32%", "maxShare: 31%"));

        page.locator("#start").click();

        assertThat(dialog).containsText(Pattern.compile("Version \\d+ is newer than version \\d+, which you see"));
        assertThat(dialog).containsText("cancel and reload the page");
        inDialog(page, "Cancel").click();
        assertThat(page.locator("#version ins")).containsText(new String[]{"32%"});
        assertThat(page.locator("#version del")).containsText(new String[]{"31%"});
        assertThat(text(page)).hasValue(plan);
    }

    @ParameterizedTest
    @ValueSource(strings = {"no JSON", "null", "5", "{\"text\": 5}", "[]",
        "{\"text\": \"x\", \"version\": \"garbage\"}"})
    void garbage_that_a_browser_kept_breaks_no_page(String garbage) {
        Visitor visitor = open();
        // A text that is no plan.
        visitor.troubles().expect("status of 400");
        visitor.page().evaluate("""
                garbage => {
                  for (const name of ['draft:/plans/edited', 'draft:/plans']) sessionStorage.setItem(name, garbage);
                  for (const name of ['shortcuts', 'unproven-seen']) localStorage.setItem(name, garbage);
                }""", garbage);

        Page page = visitor.open("/plans/edited").page();

        assertThat(text(page)).isEnabled();
        assertThat(text(page)).hasValue(garbage.contains("\"x\"") ? "x" : plan);
        assertThat(text(visitor.open("/plans:new").page())).isEnabled();
        assertThat(visitor.open("/").page().getByText("Nothing is being tested.")).isVisible();
        assertThat(visitor.page().getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Kill switch")))
                .isEnabled();
    }

    @Test
    void what_somebody_else_saved_meanwhile_is_not_written_over_unseen() {
        Visitor visitor = open();
        visitor.troubles().expect("status of 412");
        Page page = visitor.page();
        text(page).fill(plan + "# mine\n");
        dashboard.controller().putPlan("edited", plan + "# theirs\n");

        pressSave(page);

        assertThat(saved(page)).containsText(Pattern.compile("NOT saved: version \\d+ is newer"));
        inDialog(page, "Cancel").click();
        assertThat(text(page)).hasValue(plan + "# mine\n");
        assertThat(page.locator("#version del")).hasText("- # theirs");
        assertThat(page.locator("#version ins")).hasText("+ # mine");
        pressSave(page);
        assertThat(saved(page)).containsText("Saved: this is version");
    }

    @Test
    void the_limits_are_counted_as_one_types() {
        Visitor visitor = open();
        Page page = visitor.page();
        Locator limits = page.getByRole(AriaRole.REGION, new GetByRoleOptions().setName("What the limits allow"));
        assertThat(limits).containsText("From 25 % to 32 % it takes 1 raise or more: 32 %.");

        text(page).fill(plan.replace("32%", "64%"));

        assertThat(limits).containsText("From 25 % to 64 % it takes 2 raises or more: 50 %, 64 %.");
        assertThat(limits).containsText(Pattern.compile("the SUT gets at most [\\d.]+ requests/s"));
        visitor.assertNoHorizontalScrolling();
        visitor.troubles().expect("status of 4(00|22)");
        text(page).fill(plan.replace("32%", "much"));
        assertThat(limits).containsText("These are of the last text without mistakes.");
        visitor.assertAccessible();
    }

    @Test
    void limits_of_another_text_never_look_like_those_of_this_one() {
        Visitor visitor = open();
        Page page = visitor.page();
        assertThat(page.locator("#limits")).containsText("32 %");
        visitor.troubles().expect("ERR_FAILED");
        visitor.context().route("**/api/v1/plans:validate", Route::abort);

        text(page).fill(plan.replace("32%", "64%"));

        assertThat(page.locator("#check-state")).containsText("This is not checked.");
        assertOld(page);
        visitor.context().unroute("**/api/v1/plans:validate");
        page.locator("#check").click();
        assertThat(page.locator("#limits")).containsText("64 %");
        assertThat(page.locator("#limits")).not().hasAttribute("data-state", "stale");
        text(page).fill("");
        assertThat(page.locator("#check-state")).hasText("Write a plan.");
        assertOld(page);
        text(page).fill(plan + "#".repeat(70_000));
        assertThat(page.locator("#check-state")).containsText("it is checked when you press Check");
        assertOld(page);
    }

    private static void assertOld(Page page) {
        assertThat(page.locator("#limits")).hasAttribute("data-state", "stale");
        assertThat(page.locator("#limits-state")).hasText("These are of the last text without mistakes.");
    }

    @Test
    void a_run_is_of_the_text_that_one_sees_whatever_somebody_else_saved_meanwhile() {
        Visitor visitor = open();
        visitor.troubles().expect("status of 503");
        Page page = visitor.page();
        visitor.context().route("**/api/v1/runs", route -> route.fulfill(new Route.FulfillOptions().setStatus(503)
                .setContentType("application/problem+json").setBody("{\"status\": 503, \"title\": \"Not now\"}")));
        dashboard.controller().putPlan("edited", plan.replace("32%", "64%"));
        // As if typed while the page still asks for what was saved.
        visitor.context().route("**/api/v1/plans/edited?written=true", route -> {
            text(page).fill(plan + "# seen\n");
            route.resume();
        });

        page.locator("#start").click();
        Request asked = page.waitForRequest("**/api/v1/runs", () -> inDialog(page, "Start").click());

        assertThat(asked.postData()).isEqualTo(plan + "# seen\n");
    }

    @Test
    void a_plan_that_was_made_anew_with_the_same_number_is_not_taken_for_the_one_that_one_sees() {
        Visitor visitor = open();
        Page page = visitor.page();
        visitor.context().route("**/api/v1/plans/edited", route -> {
            APIResponse known = route.fetch();
            route.fulfill(new Route.FulfillOptions().setResponse(known)
                    .setBody(known.text().replaceFirst("\"hash\":\"[0-9a-f]{8}", "\"hash\":\"00000000")));
        });

        page.locator("#start").click();

        assertThat(page.getByRole(AriaRole.DIALOG)).containsText("This plan was deleted and made anew meanwhile.");
        inDialog(page, "Cancel").click();
    }

    @Test
    void fields_are_completed_by_keyboard_and_nothing_that_was_not_chosen_is_put_in() {
        Visitor visitor = open();
        Page page = visitor.page();
        Locator offered = page.getByRole(AriaRole.LISTBOX, new GetByRoleOptions().setName("What can stand here"));
        text(page).fill(plan + "  redirect: {");
        text(page).pressSequentially("m");
        assertThat(offered.getByRole(AriaRole.OPTION))
                .hasText(new String[]{"mode split | endpoint-weight | modulo | hash; default split",
                    "modulus default 10000"});
        visitor.assertAccessible();
        visitor.screenshot("plan-completion");

        page.keyboard().press("Escape");
        assertThat(offered).isHidden();
        page.keyboard().press("Control+Space");
        page.keyboard().press("ArrowDown");
        assertThat(text(page)).hasAttribute("aria-activedescendant", "completion-0");
        page.keyboard().press("Enter");
        assertThat(text(page)).hasValue(plan + "  redirect: {mode: ");
        page.keyboard().press("ArrowDown");
        page.keyboard().press("ArrowDown");
        page.keyboard().press("ArrowUp");
        page.keyboard().press("Enter");
        assertThat(text(page)).hasValue(plan + "  redirect: {mode: split");
        assertThat(offered).isHidden();
        page.keyboard().type("}");
        page.keyboard().press("Enter");
        page.keyboard().type("  gua");
        assertThat(offered.getByRole(AriaRole.OPTION)).hasCount(1);
        page.keyboard().press("Enter");
        assertThat(text(page)).hasValue(plan + "  redirect: {mode: split}\n  gua\n");
        visitor.troubles().expect("status of 4(00|22)");
    }

    @Test
    void what_can_stand_at_a_place_is_known_by_the_schema() {
        assertThat(open().page().evaluate(OFFERED, List.of("|", "kind: |", "metadata:\n  name: a\n  |",
                "spec:\n  profile: s|", "spec:\n  limits: {maxShare: 60%, ma|, window: 1s}",
                "spec:\n  limits:\n    maxShare: 60%\n    |\n    window: 1s\n", "spec:\n  sla:\n    - {name: a, |}",
                "spec:\n  sla:\n  - name: a\n    |\n  - expr: b\n",
                "spec:\n  sla:\n    - name: a\n      expr: b\n    - |",
                "spec:\n  notify: [{target: a, on: [f|]}]", "spec:\n  sut: {select: |}",
                "spec:\n  redirect:\n    cohorts:\n      - name: x\n        headers:\n          - na|",
                "spec:\n  # pro|",
                "spec:\n  service: \"pro|\"", "nothing:\n  |")))
                .isEqualTo(List.of("apiVersion kind metadata spec", "CapacityTest", "labels",
                        "smoke stress spike scalability", "maxRaise maxDuration",
                        "maxRaise maxDuration harmBudget precision", "expr informational",
                        "expr informational", "name expr informational",
                        "finished failed", "random newest previous label", "name", "", "", ""));
    }
}
