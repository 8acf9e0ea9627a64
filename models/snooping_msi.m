-- paraproof: verdict = proven
-- paraproof: rules = 14
-- paraproof: properties = 2
-- paraproof: states NODE_NUM=2 514
-- paraproof: states NODE_NUM=3 7504

-- A snooping MSI protocol with a bus queue: atomic requests, pending responses.
--
-- Requests wait for the bus, which takes them in any order. All caches see the request
-- that the bus takes in the same step, also the one that it is from, so that it is ordered
-- there (the states whose names end in A). The data comes later (those that end in D), from
-- the owner or from memory, and the bus takes no further request until it is there; then
-- memory copies it as well. While a request waits for the bus, those of others come first:
-- an upgrade may lose its copy, and an eviction its line (II_A), after which there is
-- nothing left to be written back.
--
-- D. J. Sorin, M. D. Hill and D. A. Wood, 'A primer on memory consistency and
-- cache coherence', Morgan & Claypool 2011, section 7.5.

const
  NODE_NUM : 2;
  VALUE_NUM : 2;
  QUEUE_SIZE : 4;

type
  NODE : scalarset (NODE_NUM);
  VALUE : scalarset (VALUE_NUM);
  CACHE_STATE : enum { I, IS_A, IS_D, IM_A, IM_D, S, SM_A, M, MI_A, II_A };
  KIND : enum { GetS, GetM, PutM };
  REQUEST : record kind : KIND; from : NODE; end;
  RESPONSE : record target : NODE; val : VALUE; end;
  CACHE : record state : CACHE_STATE; val : VALUE; end;

var
  cache : array [NODE] of CACHE;
  owned : boolean;    -- what memory knows: some cache has to answer
  mem : VALUE;
  last : VALUE;
  queue : multiset [QUEUE_SIZE] of REQUEST;
  response : multiset [1] of RESPONSE;

procedure Request(kind : KIND; n : NODE);
var r : REQUEST;
begin
  r.kind := kind; r.from := n;
  multisetadd(r, queue);
end;

procedure Respond(n : NODE; v : VALUE);
var r : RESPONSE;
begin
  r.target := n; r.val := v;
  multisetadd(r, response);
end;

-- All caches but that of n see that n will have the only copy.
procedure Invalidate(n : NODE);
begin
  for j : NODE do
    if j != n then
      if cache[j].state = S | cache[j].state = M then cache[j].state := I;
      elsif cache[j].state = SM_A then cache[j].state := IM_A;
      elsif cache[j].state = MI_A then cache[j].state := II_A;
      end;
    end;
  end;
end;

ruleset v : VALUE do
  startstate "Init"
    for n : NODE do cache[n].state := I; cache[n].val := v; end;
    owned := false;
    mem := v; last := v;
    undefine queue; undefine response;
  end;
end;

ruleset n : NODE do
  alias c : cache[n] do
    rule "Load" c.state = I ==>
      Request(GetS, n); c.state := IS_A;
    end;
    rule "Store" c.state = I ==>
      Request(GetM, n); c.state := IM_A;
    end;
    rule "Upgrade" c.state = S ==>
      Request(GetM, n); c.state := SM_A;
    end;
    rule "EvictClean" c.state = S ==>
      c.state := I;
    end;
    rule "EvictDirty" c.state = M ==>
      Request(PutM, n); c.state := MI_A;
    end;
    ruleset v : VALUE do
      rule "Write" c.state = M ==>
        c.val := v; last := v;
      end;
    end;
  end;
end;

-- The bus takes a request.
choose i : queue do
  alias r : queue[i]; n : queue[i].from do
    rule "BusGetS" r.kind = GetS & multisetcount(k : response, true) = 0 & !owned ==>
      cache[n].state := IS_D;
      Respond(n, mem);
      multisetremove(i, queue);
    end;
    rule "BusGetM" r.kind = GetM & multisetcount(k : response, true) = 0 & !owned & cache[n].state = IM_A ==>
      Invalidate(n);
      cache[n].state := IM_D; owned := true;
      Respond(n, mem);
      multisetremove(i, queue);
    end;
    -- Who has a copy needs no data.
    rule "BusUpgrade" r.kind = GetM & multisetcount(k : response, true) = 0 & cache[n].state = SM_A ==>
      Invalidate(n);
      cache[n].state := M; owned := true;
      multisetremove(i, queue);
    end;
    ruleset o : NODE do
      rule "BusGetSOwned"
        r.kind = GetS & multisetcount(k : response, true) = 0 & (cache[o].state = M | cache[o].state = MI_A)
      ==>
        if cache[o].state = M then cache[o].state := S; else cache[o].state := II_A; end;
        cache[n].state := IS_D;
        Respond(n, cache[o].val);
        multisetremove(i, queue);
      end;
      rule "BusGetMOwned"
        r.kind = GetM & multisetcount(k : response, true) = 0 & (cache[o].state = M | cache[o].state = MI_A)
      ==>
        Invalidate(n);
        cache[n].state := IM_D;
        Respond(n, cache[o].val);
        multisetremove(i, queue);
      end;
    end;
    rule "BusPutM" r.kind = PutM & multisetcount(k : response, true) = 0 ==>
      if cache[n].state = MI_A then mem := cache[n].val; owned := false; end;
      cache[n].state := I;
      multisetremove(i, queue);
    end;
  end;
end;

-- The data comes. Memory copies it unless it is for a store.
choose i : response do
  alias n : response[i].target do
    rule "DataS" cache[n].state = IS_D ==>
      cache[n].state := S; cache[n].val := response[i].val;
      mem := response[i].val; owned := false;
      multisetremove(i, response);
    end;
    rule "DataM" cache[n].state = IM_D ==>
      cache[n].state := M; cache[n].val := response[i].val;
      multisetremove(i, response);
    end;
  end;
end;

invariant "SingleWriter"
  forall i : NODE do forall j : NODE do
    i != j & cache[i].state = M -> cache[j].state != M & cache[j].state != S & cache[j].state != SM_A
  end end;
invariant "LastValue"
  forall i : NODE do
    cache[i].state = S | cache[i].state = SM_A | cache[i].state = M -> cache[i].val = last
  end;
