// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

/** How much of a list a request may ask for. */
final class Limits {

    static final int MOST = 200;

    private Limits() {}

    static int require(int limit) {
        return RequestParameters.between("limit", 1, limit, MOST);
    }
}
