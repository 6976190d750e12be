// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

/** Receives the outcome of one published record, once, on any thread. */
public interface DeliveryCallback {

    /** The record is stored where its readers find it. */
    void delivered();

    /** The record was refused, or nobody confirmed it in time. */
    void failed(String reason);
}
