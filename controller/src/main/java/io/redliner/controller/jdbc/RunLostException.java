// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.jdbc;

import java.io.Serial;

/** Another controller has taken the run: whoever gets this must not drive it any further. */
public final class RunLostException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    RunLostException(String runId, long version) {
        super("run " + runId + " is not at version " + version + " any more: another controller has taken it");
    }
}
