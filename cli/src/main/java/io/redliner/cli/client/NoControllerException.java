// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Something answers, and it is no controller. */
public final class NoControllerException extends IOException {

    private static final long serialVersionUID = 1L;

    NoControllerException(String url, String how, @Nullable Exception cause) {
        super("what answers at " + url + how + " is no controller; set --url or REDLINER_URL", cause);
    }
}
