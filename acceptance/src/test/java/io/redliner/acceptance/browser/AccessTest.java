// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.options.AriaRole;
import io.redliner.acceptance.Orders;
import io.redliner.controller.ControllerApplication;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.json.JsonMapper;

/** A controller that wants to know who is looking, beside the open one, over the same Kafka and PostgreSQL. */
@Tag("browser")
class AccessTest {

    private static final String ADMIN = "an-administrator-of-the-browser-tests";

    @RegisterExtension
    final Dashboard dashboard = new Dashboard();

    @RegisterExtension
    final Visits visits = new Visits();

    private ConfigurableApplicationContext controller() {
        return ControllerApplication.builder().registerShutdownHook(false).run("--server.port=0",
                "--redliner.kafka.bootstrap-servers=" + dashboard.stack().bootstrapServers(),
                "--spring.datasource.url=" + dashboard.stack().databaseUrl(), "--spring.main.banner-mode=off",
                "--logging.config=classpath:standalone-logback.xml", "--redliner.controller.access.mode=authenticated",
                "--redliner.controller.access.bootstrap-token=" + ADMIN);
    }

    private static URI address(ConfigurableApplicationContext controller) {
        return URI.create("http://127.0.0.1:" + controller.getEnvironment().getRequiredProperty("local.server.port"));
    }

    private static String token(URI address, String role) {
        try (Orders admin = new Orders(address, ADMIN)) {
            String name = role + "-" + System.identityHashCode(admin);
            return new JsonMapper()
                    .readTree(admin.send("POST", "/tokens", "{\"name\": \"" + name + "\", \"role\": \"" + role + "\"}"))
                    .path("token").asString();
        }
    }

    @Test
    void a_stranger_signs_in_reads_as_a_viewer_that_stopping_everything_takes_another_role_and_signs_out() {
        try (ConfigurableApplicationContext controller = controller()) {
            String token = token(address(controller), "viewer");
            Visitor visitor = visits.visitor(address(controller), Look.LIGHT);
            visitor.troubles().expect("(status of|Status Error Code) 40[13]");
            Page page = visitor.open("/").page();
            Locator field = page.getByLabel("Token");
            assertThat(field).isFocused();
            // One message, and nothing of a connection.
            assertThat(page.getByRole(AriaRole.MAIN)).isHidden();
            assertThat(page.getByText("You are not signed in").filter(new Locator.FilterOptions().setVisible(true)))
                    .hasCount(0);
            assertThat(page.getByText("Connection lost")).hasCount(0);
            assertThat(page).hasTitle("Sign in · RedLiner");
            visitor.assertAccessible();
            visitor.screenshot("sign-in");
            assertThat(visitor.bytesReceived()).as("bytes of a first visit").isBetween(10_000L, 350_000L);
            page.keyboard().type("rl_wrong");
            page.keyboard().press("Enter");
            assertThat(page.getByText("Not signed in: ")).isVisible();

            field.fill(token);
            page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Sign in")).click();

            assertThat(page.getByText("· viewer")).isVisible();
            assertThat(page.getByRole(AriaRole.ROWHEADER, new GetByRoleOptions().setName(LiveDashboard.SERVICE)))
                    .isVisible();
            page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Kill switch")).click();
            Locator dialog = page.getByRole(AriaRole.DIALOG);
            assertThat(dialog).containsText("That takes the role operator. You are signed in as viewer-");
            assertThat(dialog.getByRole(AriaRole.TEXTBOX)).hasCount(0);
            visitor.assertAccessible();
            visitor.screenshot("viewer-refused");
            dialog.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Close")).click();
            page.keyboard().press("k");
            assertThat(dialog).containsText("That takes the role operator.");
            page.keyboard().press("Escape");
            assertThat(dashboard.controller().get("/kill-switch").path("engaged").asBoolean()).isFalse();
            assertThat(visitor.context().cookies()).hasSize(1)
                    .allMatch(cookie -> List.of(true).contains(cookie.httpOnly) && !cookie.value.isEmpty());

            page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Sign out")).click();

            assertThat(field).isFocused();
            assertThat(page.getByRole(AriaRole.MAIN)).isHidden();
            page.waitForCondition(() -> visitor.context().cookies().isEmpty());
        }
    }

    @Test
    void a_viewer_reads_which_role_a_button_takes_before_he_types() {
        try (ConfigurableApplicationContext controller = controller()) {
            String token = token(address(controller), "viewer");
            Visitor visitor = visits.visitor(address(controller), Look.PHONE);
            visitor.troubles().expect("(status of|Status Error Code) 40[134]");
            Page page = visitor.open("/plans:new").page();
            page.getByLabel("Token").fill(token);
            page.keyboard().press("Enter");

            assertThat(page.getByText("To save or start it takes the role operator.")).isVisible();
            page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Save").setExact(false)).click();
            assertThat(page.getByRole(AriaRole.DIALOG)).containsText("That takes the role operator.");
            visitor.assertAccessible();
            visitor.open("/kill-switch");
            assertThat(page.getByText("To release it takes the role admin.")).isVisible();
            visitor.open("/schedules");
            page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Add a freeze")).click();
            assertThat(page.getByRole(AriaRole.DIALOG)).containsText("That takes the role operator.");
            visitor.assertNoHorizontalScrolling();
        }
    }
}
