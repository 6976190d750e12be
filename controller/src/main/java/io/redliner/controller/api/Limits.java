// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

/** How much of a list a request may ask for. */
final class Limits {

    static final int MOST = 200;

    private Limits() {}

    static int require(int limit) {
        if (limit < 1 || limit > MOST) {
            throw new ProblemException(ProblemType.INVALID_PARAMETER, "limit is between 1 and " + MOST)
                    .with("field", "limit");
        }
        return limit;
    }
}
