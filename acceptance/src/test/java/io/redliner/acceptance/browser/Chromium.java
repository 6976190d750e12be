// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The machine's own Chromium without a screen, and the driver that speaks to it. Both are of the thread that launched them. */
final class Chromium implements AutoCloseable {

    private static final String VARIABLE = "CHROMIUM_PATH";

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");

    private static final String ADVICE = "install it (Debian: apt-get install chromium), or set " + VARIABLE
            + " to the binary of one";

    private final Playwright driver;

    private final Browser browser;

    private Chromium(Playwright driver, Browser browser) {
        this.driver = driver;
        this.browser = browser;
    }

    /** Launches the one that {@link #locate} finds. */
    static Chromium launch() {
        PlaywrightAssertions.setDefaultAssertionTimeout(Visitor.TIMEOUT_MS);
        Path binary = locate(System.getenv());
        Playwright driver = Playwright
                .create(new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        try {
            // Builds run as root and in containers, where its sandbox does not work; it only sees pages of our own.
            return new Chromium(driver, driver.chromium().launch(new LaunchOptions().setExecutablePath(binary)
                    .setHeadless(true).setArgs(List.of("--no-sandbox", "--disable-dev-shm-usage"))));
        } catch (RuntimeException e) {
            driver.close();
            throw e;
        }
    }

    /**
     * The browser that the environment names, or the first one on its PATH.
     *
     * @throws IllegalStateException when there is none; says what to do
     */
    static Path locate(Map<String, String> environment) {
        String named = environment.get(VARIABLE);
        if (named != null) {
            if (!Files.isExecutable(Path.of(named))) {
                throw new IllegalStateException(
                        VARIABLE + " names " + named + ", which is no program: " + ADVICE);
            }
            return Path.of(named);
        }
        String path = environment.getOrDefault("PATH", "");
        for (String name : NAMES) {
            Path found = onPath(path, name);
            if (found != null) {
                return found;
            }
        }
        throw new IllegalStateException("The browser tests need Chromium, and none of " + String.join(", ", NAMES)
                + " is on the PATH: " + ADVICE);
    }

    private static @Nullable Path onPath(String path, String name) {
        for (String folder : path.split(File.pathSeparator, -1)) {
            Path candidate = Path.of(folder, name);
            if (!folder.isEmpty() && Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
                return candidate;
            }
        }
        return null;
    }

    Browser browser() {
        return browser;
    }

    @Override
    public void close() {
        browser.close();
        driver.close();
    }
}
