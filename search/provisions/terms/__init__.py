"""Terms that rules define: finding the definitions, and the one that a question asks for."""
