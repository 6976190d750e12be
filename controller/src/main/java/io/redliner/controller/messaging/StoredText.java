// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.messaging;

/** Text from outside that ends up in the database, which cannot hold U+0000 and would refuse the whole decision. */
final class StoredText {

    private StoredText() {}

    static String of(String text) {
        return text.replace("\u0000", "");
    }
}
