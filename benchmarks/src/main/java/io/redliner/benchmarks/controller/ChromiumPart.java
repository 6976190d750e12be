// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.controller;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Playwright;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A real browser of this machine, without a window. */
final class ChromiumPart implements AutoCloseable {

    private final Playwright driver = Playwright
            .create(new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));

    private final Browser browser;

    ChromiumPart(Path binary) {
        browser = driver.chromium().launch(new LaunchOptions().setExecutablePath(binary)
                .setArgs(List.of("--no-sandbox", "--disable-dev-shm-usage")));
    }

    Browser browser() {
        return browser;
    }

    @Override
    public void close() {
        driver.close();
    }
}
