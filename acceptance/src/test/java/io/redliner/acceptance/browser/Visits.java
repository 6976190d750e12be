// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import com.microsoft.playwright.Browser;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * The visitors of a test. The browser is launched once for all tests; when a test is over it is asserted of each visitor that
 * nothing went wrong behind the page, and of one that failed is kept what the visitors saw.
 */
final class Visits implements BeforeEachCallback, AfterEachCallback {

    private final List<Visitor> visitors = new ArrayList<>();

    private @Nullable Browser browser;

    @Override
    public void beforeEach(ExtensionContext test) {
        browser = test.getRoot().getStore(Namespace.create(Visits.class))
                .computeIfAbsent(Chromium.class, key -> Chromium.launch(), Chromium.class).browser();
    }

    /** Somebody new, who may speak to this host only. */
    Visitor visitor(URI host, Look look) {
        Visitor visitor = new Visitor(Objects.requireNonNull(browser, "no test is running"), host, look);
        visitors.add(visitor);
        return visitor;
    }

    /** Somebody new, closed by the caller, without an assertion in the end. */
    Visitor unwatched(URI host, Look look) {
        return new Visitor(Objects.requireNonNull(browser, "no test is running"), host, look);
    }

    @Override
    public void afterEach(ExtensionContext test) {
        try {
            if (test.getExecutionException().isPresent()) {
                String name = test.getRequiredTestClass().getSimpleName() + "-"
                        + test.getRequiredTestMethod().getName();
                visitors.forEach(visitor -> visitor.keepEvidence(name));
            } else {
                visitors.forEach(visitor -> visitor.troubles().assertNone());
            }
        } finally {
            visitors.forEach(Visitor::close);
            visitors.clear();
        }
    }
}
