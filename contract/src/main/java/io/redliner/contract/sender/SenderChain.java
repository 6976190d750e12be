// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.sender;

import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;

/** Makes the proofs of one process: for each service a hash chain of its own, and the next chain when one ends. For one thread. */
public final class SenderChain {

    /** Every 32nd link is kept, and the others are computed from it. */
    private static final int STRIDE = 32;

    private final SecureRandom random;

    private final Map<String, Chain> chains = new HashMap<>();

    /** @param random source of the secret from which the chain is computed */
    public SenderChain(SecureRandom random) {
        this.random = random;
    }

    /** Returns the proof of the next status of the service. */
    public SenderProof next(String service) {
        return chains.computeIfAbsent(service, name -> new Chain(random)).next();
    }

    private static final class Chain {

        private final SecureRandom random;

        private Links links;

        private Links nextLinks;

        private long number;

        Chain(SecureRandom random) {
            this.random = random;
            links = new Links(random);
            nextLinks = new Links(random);
        }

        SenderProof next() {
            int at = (int) (number % SenderProof.CHAIN_LENGTH);
            if (at == 0 && number > 0) {
                links = nextLinks;
                nextLinks = new Links(random);
            }
            SenderProof proof = new SenderProof(number, links.at(at), nextLinks.root);
            number++;
            return proof;
        }
    }

    private static final class Links {

        /** The last link of each stride. */
        private final String[] kept = new String[SenderProof.CHAIN_LENGTH / STRIDE];

        private final String root;

        Links(SecureRandom random) {
            String link = SenderProof.random(random);
            for (int at = SenderProof.CHAIN_LENGTH - 1; at >= 0; at--) {
                if (at % STRIDE == STRIDE - 1) {
                    kept[at / STRIDE] = link;
                }
                link = SenderProof.hash(link, 1);
            }
            root = link;
        }

        String at(int place) {
            return SenderProof.hash(kept[place / STRIDE], STRIDE - 1 - place % STRIDE);
        }
    }
}
