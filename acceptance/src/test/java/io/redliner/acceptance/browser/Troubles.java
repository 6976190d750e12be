// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Request;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What goes wrong behind a page without anybody seeing it: errors in the console, exceptions in scripts, what the content
 * security policy forbade, and requests to another host.
 */
final class Troubles {

    /** Tells the console, which says little by itself. */
    private static final String TELL_OF_VIOLATIONS = """
            addEventListener('securitypolicyviolation', e => console.error(
              `content security policy: ${e.effectiveDirective} forbids ${e.blockedURI} at ${e.sourceFile}:${e.lineNumber}`
            ))""";

    private final String authority;

    private final List<String> seen = new ArrayList<>();

    private final List<Pattern> expected = new ArrayList<>();

    private Troubles(String authority) {
        this.authority = authority;
    }

    /** Takes note of all that happens in a context from now on whose only host is the one of an address. */
    static Troubles in(BrowserContext context, URI address) {
        Troubles troubles = new Troubles(Objects.requireNonNullElse(address.getAuthority(), ""));
        context.addInitScript(TELL_OF_VIOLATIONS);
        context.onRequest(troubles::request);
        context.onConsoleMessage(troubles::console);
        context.onWebError(error -> troubles.seen.add("uncaught: " + error.error()));
        context.onPage(page -> page.onCrash(crashed -> troubles.seen.add("crashed: " + crashed.url())));
        return troubles;
    }

    private void request(Request request) {
        URI address = URI.create(request.url().split("[?#]", 2)[0]);
        if (List.of("http", "https", "ws", "wss").contains(address.getScheme())
                && !authority.equals(address.getAuthority())) {
            seen.add("request to another host: " + request.url());
        }
    }

    private void console(ConsoleMessage message) {
        if (message.type().equals("error")) {
            seen.add("console: " + message.text() + " (" + message.location() + ")");
        }
    }

    /** From now on, and for what was before: what a pattern finds something in is no trouble. */
    void expect(String pattern) {
        expected.add(Pattern.compile(pattern));
    }

    void assertNone() {
        assertThat(seen.stream().filter(trouble -> expected.stream().noneMatch(it -> it.matcher(trouble).find())))
                .as("troubles behind the page").isEmpty();
    }
}
