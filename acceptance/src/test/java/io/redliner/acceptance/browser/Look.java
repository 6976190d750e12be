// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import com.microsoft.playwright.options.ColorScheme;
import java.util.Locale;

/** How somebody looks at a page: which theme, and a window of how many CSS pixels. */
record Look(ColorScheme theme, int width, int height) {

    static final Look LIGHT = new Look(ColorScheme.LIGHT, 1280, 800);

    static final Look DARK = new Look(ColorScheme.DARK, 1280, 800);

    static final Look PHONE = new Look(ColorScheme.LIGHT, 360, 740);

    static final Look DARK_PHONE = new Look(ColorScheme.DARK, 360, 740);

    static final Look WALL = new Look(ColorScheme.LIGHT, 3840, 2160);

    /** theme-width, for the names of files. */
    @Override
    public String toString() {
        return theme.name().toLowerCase(Locale.ROOT) + "-" + width;
    }
}
