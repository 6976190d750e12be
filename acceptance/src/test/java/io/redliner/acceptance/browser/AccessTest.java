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
    void a_stranger_signs_in_and_the_kill_switch_rejects_a_viewer_with_the_reason() {
        try (ConfigurableApplicationContext controller = controller()) {
            String token = token(address(controller), "viewer");
            Visitor visitor = visits.visitor(address(controller), Look.LIGHT);
            visitor.troubles().expect("(status of|Status Error Code) 40[13]");
            Page page = visitor.open("/").page();
            Locator field = page.getByLabel("The controller wants to know who you are.");
            assertThat(field).isVisible();
            visitor.assertAccessible();
            visitor.screenshot("sign-in");
            field.fill("rl_wrong");
            page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Sign in")).click();
            assertThat(page.getByText("Not signed in: ")).isVisible();

            field.fill(token);
            page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Sign in")).click();

            assertThat(page.getByText("· viewer")).isVisible();
            assertThat(page.getByRole(AriaRole.ROWHEADER, new GetByRoleOptions().setName(LiveDashboard.SERVICE)))
                    .isVisible();
            page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Kill switch")).click();
            page.getByLabel("Reason").fill("just trying");
            page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Stop everything")).click();
            assertThat(page.getByRole(AriaRole.DIALOG).getByRole(AriaRole.ALERT))
                    .containsText(
                            "The role viewer is not enough. Sign in with a token that may, or ask somebody who may.");
            visitor.assertAccessible();
            visitor.screenshot("viewer-refused");
            assertThat(dashboard.controller().get("/kill-switch").path("engaged").asBoolean()).isFalse();
            assertThat(visitor.context().cookies()).hasSize(1)
                    .allMatch(cookie -> List.of(true).contains(cookie.httpOnly) && !cookie.value.isEmpty());
        }
    }
}
