// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

/** The redirector says that a lease is not in force any more, or never was. */
final class LeaseEndedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    LeaseEndedException(String message) {
        super(message);
    }
}
