// SPDX-License-Identifier: Apache-2.0
package io.redliner.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Sets how long tests wait where they set no time themselves: long enough for a machine with other work on it. It is the time
 * until a test gives up, and no statement about speed.
 */
public final class AwaitilityDefaults implements LauncherSessionListener {

    /** The default timeout, far beyond the pauses of a machine that others use. */
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(TIMEOUT);
        // A thread that a test kills on purpose is no failure of the one that waits beside it.
        Awaitility.doNotCatchUncaughtExceptionsByDefault();
    }
}
