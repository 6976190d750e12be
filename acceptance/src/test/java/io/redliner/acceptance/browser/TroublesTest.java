// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.microsoft.playwright.Route;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** That what the browser tests assert of every page can fail: pages that do what none of ours may. */
@Tag("browser")
class TroublesTest {

    private static final URI HOST = URI.create("http://dashboard.test");

    @RegisterExtension
    final Visits visits = new Visits();

    private Visitor visitorOf(String body, String policy) {
        Visitor visitor = visits.visitor(HOST, Look.LIGHT);
        visitor.context().route("**/*", route -> route.fulfill(new Route.FulfillOptions().setContentType("text/html")
                .setHeaders(Map.of("Content-Security-Policy", policy))
                .setBody("<!doctype html><html lang='en'><head><title>Page</title></head><body>" + body)));
        return visitor.open("/");
    }

    private static void assertTrouble(Visitor visitor, String trouble) {
        visitor.page().waitForCondition(() -> troubled(visitor));
        assertThatThrownBy(visitor.troubles()::assertNone).hasMessageContaining(trouble);
        visitor.troubles().expect(".");
    }

    private static boolean troubled(Visitor visitor) {
        try {
            visitor.troubles().assertNone();
            return false;
        } catch (AssertionError e) {
            return true;
        }
    }

    @Test
    void a_request_to_another_host_is_noticed() {
        assertTrouble(visitorOf("<img alt='' src='http://elsewhere.test/pixel'>", "img-src *"),
                "request to another host: http://elsewhere.test/pixel");
    }

    @Test
    void what_the_policy_forbids_is_noticed() {
        assertTrouble(visitorOf("<p style='color: red'>red</p>", "style-src 'none'"),
                "content security policy: style-src-attr forbids inline");
    }

    @Test
    void an_exception_is_noticed() {
        assertTrouble(visitorOf("<script>throw new Error('astray')</script>", "script-src 'unsafe-inline'"),
                "uncaught: ");
    }

    @Test
    void an_error_in_the_console_is_noticed_unless_it_was_expected() {
        Visitor visitor = visitorOf("<script>console.error('one of these')</script>", "script-src 'unsafe-inline'");

        assertTrouble(visitor, "console: one of these");
        assertThatCode(visitor.troubles()::assertNone).doesNotThrowAnyException();
    }

    @Test
    void what_cannot_be_read_is_noticed() {
        Visitor visitor = visitorOf("<main><h1>Page</h1><p id='faint'>faint</p><img src='data:,'></main>"
                + "<style>#faint { color: #ccc; background: #fff }</style>",
                "style-src 'unsafe-inline'; img-src data:");

        assertThatThrownBy(visitor::assertAccessible).hasMessageContaining("color-contrast")
                .hasMessageContaining("image-alt").hasMessageContaining("#faint");
    }

    @Test
    void what_is_wider_than_the_window_is_noticed() {
        Visitor visitor = visitorOf("<pre>" + "wide ".repeat(200) + "</pre>", "default-src 'none'");

        assertThatThrownBy(visitor::assertNoHorizontalScrolling).hasMessageContaining("beyond the right edge");
    }
}
